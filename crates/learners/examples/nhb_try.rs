//! Trains NHB and tests it after its steps: `nhb_try GAME SPEC STEPS SEED [TEST_STATES TEST_MATCHES EVERY DRAWN]`; a test comes after every so
//! many steps. SPEC is `nhb` or `nhb-improved` with settings. In tests by the league's rules the first DRAWN moves are drawn.
use cpu_time::ThreadTime;
use ludens_core::{Ctx, Game, Learner, Meter, MindError, Named, Rng, Spec};
use ludens_learners::beyond::nhb_improved;
use ludens_learners::nhb::Nhb;
use ludens_learners::nhb::judge::Judge;
use ludens_learners::nhb::matches::{Disturbance, Player, Tally, test_matches};
use ludens_learners::nhb::settings::Settings;

fn trial<G: Game>(game: &G, args: &[String]) -> Result<(), MindError> {
    let number =
        |place: usize, default: u64| args.get(place).and_then(|text| text.parse().ok()).unwrap_or(default);
    let mut spec: Spec = args[2].parse()?;
    let base = if spec.name == nhb_improved::NAME { Settings::improved() } else { Settings::default() };
    let settings = Settings::read(&mut spec, &base)?;
    let (steps, seed, every) = (number(3, 10), number(4, 1), number(7, 1));
    let (states, matches, drawn) = (number(5, settings.states), number(6, 200) as u32, number(8, 0) as u32);
    let one_ply = settings.depth > 0;
    let mut nhb = Nhb::new(game, settings);
    for step in 0..steps {
        let start = ThreadTime::now();
        let mut meter = Meter::unlimited();
        let measures = nhb.step(game, &mut Ctx::new(&mut Rng::stream(seed, step), &mut meter))?;
        let trained = start.elapsed().as_secs_f64();
        if (step + 1) % every != 0 {
            continue;
        }
        if one_ply && game.encoding_len() == 64 {
            let score = |judge: &Judge| {
                let player = Player { judge: judge.clone(), ..nhb.one_ply() };
                league(game, player, (matches, drawn), seed * 77 + step)
            };
            let alone: Vec<String> =
                nhb.judges().iter().map(|judge| format!("{:.3}", score(judge))).collect();
            let (all, members) = (score(nhb.judge()), alone.join(" "));
            println!("step {step}: league {all:.3}, members {members} {trained:.2}s");
            continue;
        }
        let start = ThreadTime::now();
        let tallies = test(game, nhb.judge(), (states, matches), seed * 1000 + step);
        let tested = start.elapsed().as_secs_f64();
        let [untrained, random] = tallies.map(|t| format!("{}/{}/{}", t.wins, t.draws, t.losses));
        let text: Vec<String> = measures.iter().map(|m| format!("{} {:.4}", m.name, m.value)).collect();
        println!(
            "step {step}: untrained {untrained} random {random}  states {} {trained:.2}s test {tested:.2}s  {}",
            meter.cost().states,
            text.join(", ")
        );
    }
    Ok(())
}

/// Against NHB's search with an untrained network and with random values.
fn test<G: Game>(game: &G, judge: &Judge, (states, matches): (u64, u32), seed: u64) -> [Tally; 2] {
    let mut player = Player::new(judge.clone(), states);
    let mut against = |opponent: &dyn Fn(&mut Rng) -> Judge| {
        let make = |rng: &mut Rng| Player::new(opponent(rng), states);
        let none = Disturbance::default();
        test_matches(game, &mut player, matches, none, seed, &mut Meter::unlimited(), make)
    };
    let inputs = game.encoding_len();
    let untrained = against(&|rng| Judge::untrained(inputs, 64, rng));
    [untrained, against(&|rng| Judge::Random { seed: rng.next_u64() })]
}

/// One ply against the weighted piece counter, one move in ten drawn.
fn league<G: Game>(game: &G, mut player: Player<G>, (matches, drawn): (u32, u32), seed: u64) -> f64 {
    let noise = Disturbance { opening: drawn, epsilon: 0.1 };
    test_matches(game, &mut player, matches, noise, seed, &mut Meter::unlimited(), |_| {
        Player::one_ply(Judge::othello_league())
    })
    .points()
}

macro_rules! of_the_name {
    ($($game:ty as $name:ident),* $(,)?) => {
        /// Tries the native game that `args[1]` names.
        fn try_named(args: &[String]) -> Result<(), MindError> {
            $(if let Some(game) = <$game as Named>::from_name(&args[1]) {
                return trial(&game, args);
            })*
            Err(MindError::Other(format!("there is no game called {:?}", args[1])))
        }
    };
}

ludens_games::each_game!(of_the_name);

fn main() -> Result<(), MindError> {
    let args: Vec<String> = std::env::args().collect();
    if args.len() < 3 {
        return Err(MindError::Other(
            "usage: nhb_try GAME SPEC [STEPS SEED STATES MATCHES EVERY DRAWN]".into(),
        ));
    }
    try_named(&args)
}
