//! A program that listens, and what it takes while it is attacked.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::child::{Run, peak_kilobytes};
use super::{MOST_KILOBYTES, Tally};

/// The besieged program; it is ended when this is dropped.
pub struct Siege {
    child: Mutex<Child>,
    pub address: SocketAddr,
    /// What is being done to it, for the sentences about what goes wrong.
    stage: Mutex<&'static str>,
    over: AtomicBool,
}

impl Siege {
    /// Starts it and waits until it says where it listens.
    pub fn begin(run: &Run, before_address: &str) -> Result<Siege, String> {
        super::http::measure_slowness();
        let mut child = run.spawn()?;
        let out = child.stdout.take().ok_or("no output")?;
        let (sender, receiver) = std::sync::mpsc::channel();
        let mark = before_address.to_string();
        std::thread::spawn(move || {
            // Read on after the address: a pipe that nobody reads would hold the program up.
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                let word = line
                    .split_once(&mark)
                    .and_then(|(_, rest)| rest.split(['/', ' ']).next())
                    .map(String::from);
                let _ = word.map(|word| sender.send(word));
            }
        });
        let address = receiver.recv_timeout(Duration::from_secs(30)).ok().and_then(|word| word.parse().ok());
        let Some(address) = address else {
            let _ = child.kill().and_then(|()| child.wait());
            return Err(format!("{} does not say where it listens within 30 s", run.shown()));
        };
        if let Some(err) = child.stderr.take() {
            std::thread::spawn(move || std::io::copy(&mut BufReader::new(err), &mut std::io::sink()));
        }
        Ok(Siege {
            child: Mutex::new(child),
            address,
            stage: Mutex::new("nothing yet"),
            over: AtomicBool::new(false),
        })
    }

    pub fn stage(&self) -> &'static str {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What has been done to it since the stage of before, in words.
    pub fn since(&self, before: &'static str) -> String {
        let now = self.stage();
        if now == before { now.into() } else { format!("{before} or {now}") }
    }

    fn child(&self) -> std::sync::MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Runs the stages one after the other, with `peaceful` beside them and the memory watched; says what each took.
    pub fn hold(&self, tally: &Tally, stages: &[Stage<'_>], peaceful: impl Fn(&Siege) + Sync) {
        std::thread::scope(|scope| {
            scope.spawn(|| self.watch(tally));
            scope.spawn(|| peaceful(self));
            for stage in stages {
                *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage.name;
                let began = Instant::now();
                if let Err(problem) = (stage.run)(self) {
                    tally.fail(format!("during {}: {problem}", stage.name));
                }
                println!("   {:5.1} s {}", began.elapsed().as_secs_f64(), stage.name);
                if !self.alive() {
                    tally.fail(format!("it died during {}", stage.name));
                    break;
                }
            }
            self.over.store(true, Ordering::Relaxed);
        });
    }

    pub fn alive(&self) -> bool {
        self.child().try_wait().is_ok_and(|status| status.is_none())
    }

    /// Memory is watched all the time; a program that takes too much is ended before the machine suffers.
    fn watch(&self, tally: &Tally) {
        while !self.is_over() {
            let kilobytes = peak_kilobytes(self.child().id());
            tally.took_memory(kilobytes);
            if kilobytes > MOST_KILOBYTES {
                tally.fail(format!("it takes more than 1 GB during {}, and was ended", self.stage()));
                let mut child = self.child();
                let _ = child.kill().and_then(|()| child.wait());
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Siege {
    fn drop(&mut self) {
        let mut child = self.child();
        let _ = child.kill().and_then(|()| child.wait());
    }
}

type Work<'a> = Box<dyn Fn(&Siege) -> Result<(), String> + 'a>;

/// One way to attack a server.
pub struct Stage<'a> {
    name: &'static str,
    run: Work<'a>,
}

impl<'a> Stage<'a> {
    pub fn new(name: &'static str, run: impl Fn(&Siege) -> Result<(), String> + 'a) -> Stage<'a> {
        Stage { name, run: Box::new(run) }
    }
}

/// Connections that are opened, told something, and held.
pub fn crowd(siege: &Siege, count: usize, said: impl Fn(usize) -> Vec<u8>) -> Vec<TcpStream> {
    use std::io::Write;
    let mut held = Vec::new();
    for number in 0..count {
        // A server that is full may refuse; what it owes is to the others.
        if let Ok(mut stream) = TcpStream::connect_timeout(&siege.address, Duration::from_secs(2)) {
            let _ = stream.set_write_timeout(Some(Duration::from_millis(50)));
            let _ = stream.write_all(&said(number));
            held.push(stream);
        }
    }
    held
}
