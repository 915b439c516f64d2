//! `ludens serve`

use std::net::IpAddr;
use std::path::PathBuf;

use ludens_catalogue::House;
use ludens_lab::Home;
use ludens_web::Config;

use crate::out::Out;

/// Serve the web app on this machine: play, see why, watch learning.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ludens serve
  ludens serve --port 0 --open

The page is for this machine only. To reach it from another one, forward the port: ssh -L 7117:localhost:7117 HOST")]
pub struct Args {
    /// The port to listen on, 0 for any free one [default: 7117, or a free one if that is taken]
    #[arg(long)]
    port: Option<u16>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// The address to listen on; anything but loopback lets others on your network in
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,
    /// The folder of the run store, where games are kept (the platform's data folder)
    #[arg(long, value_name = "FOLDER")]
    home: Option<PathBuf>,
    /// Another name by which browsers may call this server, with its port
    #[arg(long, value_name = "NAME:PORT")]
    allow_host: Vec<String>,
}

impl Default for Args {
    fn default() -> Args {
        let config = Config::default();
        Args { port: None, open: false, host: config.host, home: None, allow_host: Vec::new() }
    }
}

pub fn run(house: &House, args: Args, _out: &mut Out) -> anyhow::Result<()> {
    let home = Home::open(args.home.as_deref())?;
    let mut usual = Config::default();
    usual.results.push(home.root().join("reproductions"));
    let config = Config {
        host: args.host,
        port: args.port.unwrap_or(usual.port),
        any_port: args.port.is_none(),
        open: args.open,
        home: Some(home.root().to_path_buf()),
        allowed_hosts: args.allow_host,
        ..usual
    };
    Ok(ludens_web::serve(house.clone(), config)?)
}
