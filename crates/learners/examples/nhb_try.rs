//! Trains NHB and tests it after its steps: `nhb_try GAME SPEC STEPS SEED [TEST_STATES TEST_MATCHES EVERY]`; a test comes after every so many
//! steps.
use cpu_time::ThreadTime;
use ludens_core::{Ctx, Game, GameVisitor, Learner, Meter, Rng, Spec};
use ludens_learners::nhb::Nhb;
use ludens_learners::nhb::judge::Judge;
use ludens_learners::nhb::matches::{Disturbance, Player, test_matches};
use ludens_learners::nhb::settings::Settings;

struct Try {
    args: Vec<String>,
}

impl GameVisitor for Try {
    type Out = ();
    fn visit<G: Game>(self, game: std::sync::Arc<G>) {
        let number = |place: usize, default: u64| {
            self.args.get(place).and_then(|text| text.parse().ok()).unwrap_or(default)
        };
        let mut spec: Spec = self.args[2].parse().unwrap();
        let settings = Settings::read(&mut spec).unwrap();
        let (steps, seed) = (number(3, 10), number(4, 1));
        let (states, matches) = (number(5, settings.states), number(6, 200) as u32);
        let every = number(7, 1);
        let one_ply = settings.depth == 1;
        let mut nhb = Nhb::new(&*game, settings);
        for step in 0..steps {
            let start = ThreadTime::now();
            let mut meter = Meter::unlimited();
            let measures = nhb.step(&*game, &mut Ctx::new(&mut Rng::stream(seed, step), &mut meter));
            let trained = start.elapsed().as_secs_f64();
            if (step + 1) % every != 0 {
                continue;
            }
            let inputs = game.encoding_len();
            if one_ply && inputs == 64 {
                let score = |judge: &Judge| league(&*game, judge, matches, seed * 77 + step);
                let alone: Vec<String> =
                    nhb.judges().iter().map(|judge| format!("{:.3}", score(judge))).collect();
                println!(
                    "step {step}: league {:.3}, members {} {trained:.2}s",
                    score(nhb.judge()),
                    alone.join(" ")
                );
                continue;
            }
            let mut player = Player::new(nhb.judge().clone(), states);
            let none = Disturbance::default();
            let start = ThreadTime::now();
            let mut against = |opponent: &dyn Fn(&mut Rng) -> Judge| {
                let (seed, mut meter) = (seed * 1000 + step, Meter::unlimited());
                let make = |rng: &mut Rng| Player::new(opponent(rng), states);
                test_matches(&*game, &mut player, matches, none, seed, &mut meter, make)
            };
            let untrained = against(&|rng| Judge::untrained(inputs, 64, rng));
            let random = against(&|rng| Judge::Random { seed: rng.next_u64() });
            let tested = start.elapsed().as_secs_f64();
            let text: Vec<String> = measures.iter().map(|m| format!("{} {:.4}", m.name, m.value)).collect();
            println!(
                "step {step}: untrained {}/{}/{} random {}/{}/{}  states {} {trained:.2}s test {tested:.2}s  {}",
                untrained.wins,
                untrained.draws,
                untrained.losses,
                random.wins,
                random.draws,
                random.losses,
                meter.cost().states,
                text.join(", ")
            );
        }
    }
}

/// One ply against the weighted piece counter, one move in ten drawn.
fn league<G: Game>(game: &G, judge: &Judge, matches: u32, seed: u64) -> f64 {
    let mut player = Player::one_ply(judge.clone());
    let noise = Disturbance { opening: 0, epsilon: 0.1 };
    test_matches(game, &mut player, matches, noise, seed, &mut Meter::unlimited(), |_| {
        Player::one_ply(Judge::othello_league())
    })
    .points()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    ludens_games::with_game(&args[1].clone(), Try { args }).unwrap();
}
