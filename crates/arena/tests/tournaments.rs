//! Whole tournaments: the same bytes for any number of threads and after any interruption.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludens_arena::{
    ArenaError, Format, Options, Progress, Report, Sprt, Status, Tournament, Verdict, play_pairs,
    read_record, replay, report_pairs, run_in,
};
use ludens_core::{
    Ctx, Entrant, Front, Game, Games, HallOf, Mind, MindError, Models, Move, NoModels, Ranking, Side, Stop,
};
use ludens_games::tictactoe::TicTacToe;
use ludens_learners::standard::{Standard, zoo};

#[path = "support/dice_race.rs"]
mod dice_race;
use dice_race::{DiceRace, Greedy};

fn game(name: &str) -> Result<Arc<dyn Front>, ArenaError> {
    Ok(Games::new(Standard::new().close(), zoo()).open(name)?)
}

/// The tournament's minds on the tournament's game, by their names.
fn run(
    tournament: &Tournament,
    options: &Options,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Report, ArenaError> {
    ludens_arena::run(&*game(&tournament.game)?, tournament, options, progress)
}

fn match_of(games: u32) -> Tournament {
    Tournament::new("tic-tac-toe", &["depth1", "random"]).games(games).seed(7)
}

fn json(tournament: &Tournament, options: &Options) -> String {
    serde_json::to_string(&run(tournament, options, &|_| {}).unwrap()).unwrap()
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let round_robin = Tournament::new("tic-tac-toe", &["depth1", "random", "random"]).games(60).seed(3);
    let sequential = match_of(4000).sprt(Sprt::new(0.0, 60.0, 0.05, 0.05));
    for (name, tournament) in [("robin", &round_robin), ("sprt", &sequential)] {
        let results: Vec<(String, Vec<u8>)> = [1, 2, 5]
            .into_iter()
            .map(|threads| {
                let path = folder.path().join(format!("{name}{threads}"));
                let report = json(tournament, &Options::threads(threads).record(&path, false));
                (report, std::fs::read(&path).unwrap())
            })
            .collect();
        assert!(results.windows(2).all(|two| two[0] == two[1]), "{name}");
    }
}

#[test]
fn pairs_played_in_parts_give_the_same_report() {
    let models: Arc<dyn Models> = Arc::new(NoModels);
    let (robin, stop) =
        (Tournament::new("tic-tac-toe", &["depth1", "random", "random"]).games(20).seed(3), Stop::default());
    let front = game(&robin.game).unwrap();
    let entrants: Vec<Entrant> = robin.minds.iter().cloned().map(Entrant::Named).collect();
    let part = |units| play_pairs(&*front, &entrants, &models, &robin, units, &stop);
    let mut pairs = part(0..7).unwrap();
    assert!(report_pairs(&robin, &pairs[1..]).is_err(), "the first pair is missing");
    assert_eq!(report_pairs(&robin, &pairs).unwrap().status, Status::Interrupted, "and the last ones");
    pairs.extend(part(7..30).unwrap());
    assert!(part(29..31).is_err(), "there are thirty pairs");
    let report = serde_json::to_string(&report_pairs(&robin, &pairs).unwrap()).unwrap();
    assert_eq!(report, json(&robin, &Options::threads(2)));
}

#[test]
fn depth_one_is_as_strong_as_the_paper_says() {
    // Without an opening, as x: about 81 % wins (papers' README); as o less. Together clearly above chance.
    let report = run(&match_of(2000).opening_plies(0), &Options::default(), &|_| {}).unwrap();
    let pairing = &report.pairings[0];
    let [wins, draws, losses] = pairing.tally.as_first;
    assert_eq!(wins + draws + losses, 1000);
    assert!((770..=850).contains(&wins), "{wins} wins as x");
    assert!(pairing.elo_low.unwrap() > 50.0 && pairing.los > 0.999);
    assert!(pairing.first_move_score > 0.5);
    assert!((report.standings[0].elo + report.standings[1].elo).abs() < 1e-9, "the mean is 0");
}

#[test]
fn a_gauntlet_is_the_first_against_the_others() {
    let tournament =
        Tournament::new("tic-tac-toe", &["random", "depth1", "random"]).games(20).format(Format::Gauntlet);
    let report = run(&tournament, &Options::default(), &|_| {}).unwrap();
    assert_eq!(report.games, 40);
    let names: Vec<_> = report.pairings.iter().map(|pairing| (&*pairing.a, &*pairing.b)).collect();
    assert_eq!(names, [("random", "depth1"), ("random", "random")]);
}

#[test]
fn cut_anywhere_and_resumed_it_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let tournament = match_of(24);
    let whole_path = folder.path().join("whole");
    let report = json(&tournament, &Options::threads(2).record(&whole_path, false));
    let whole = std::fs::read(&whole_path).unwrap();
    for cut in (0..=whole.len()).step_by(97).chain([whole.len() - 1]) {
        let path = folder.path().join("cut");
        std::fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(json(&tournament, &Options::threads(2).record(&path, true)), report, "cut at {cut}");
        assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
    // A flipped bit in the middle: what follows is played again.
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    std::fs::write(folder.path().join("bit"), damaged).unwrap();
    assert_eq!(json(&tournament, &Options::threads(1).record(&folder.path().join("bit"), true)), report);
    assert_eq!(std::fs::read(folder.path().join("bit")).unwrap(), whole);
}

#[test]
fn stopped_and_resumed_it_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let tournament = match_of(200);
    let expected = json(&tournament, &Options::default());
    let path = folder.path().join("record");
    let stop = Stop::new();
    let mut options = Options::threads(1).record(&path, false);
    options.stop = stop.clone();
    let enough = |at: &Progress| {
        if at.games >= 50 {
            stop.ask()
        }
    };
    let partial = run(&tournament, &options, &enough).unwrap();
    assert_eq!(partial.status, Status::Interrupted);
    assert_eq!(partial.games, 50);
    let resumed_games = AtomicU64::new(0);
    let report = run(&tournament, &Options::threads(2).record(&path, true), &|at| {
        resumed_games.store(at.resumed, Ordering::Relaxed);
    })
    .unwrap();
    assert_eq!(serde_json::to_string(&report).unwrap(), expected);
    assert_eq!(resumed_games.into_inner(), partial.games);
}

#[test]
fn foreign_and_finished_records_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record");
    json(&match_of(4), &Options::default().record(&path, false));
    let again = run(&match_of(4), &Options::default().record(&path, false), &|_| {}).unwrap_err();
    assert!(again.to_string().contains("--resume"), "{again}");
    let other = run(&match_of(4).seed(8), &Options::default().record(&path, true), &|_| {}).unwrap_err();
    assert!(other.to_string().contains("seed: 7 there, 8 now"), "{other}");
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "my notes\nare dear to me\n").unwrap();
    let foreign = run(&match_of(4), &Options::default().record(&text, true), &|_| {}).unwrap_err();
    assert!(matches!(foreign, ArenaError::NotARecord { .. }), "{foreign}");
    assert_eq!(std::fs::read_to_string(&text).unwrap(), "my notes\nare dear to me\n");
    let nowhere = Options::default().record(Path::new("/no/such/folder/record"), false);
    assert!(run(&match_of(4), &nowhere, &|_| {}).is_err());
}

#[test]
fn bad_settings_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record");
    let options = Options::default().record(&path, false);
    let mut both = match_of(2).states(5);
    both.milliseconds = Some(5);
    for tournament in [
        Tournament::new("tic-tac-toe", &["random"]),
        Tournament::new("tic-tac-toe", &["random", "nobody"]),
        Tournament::new("no-game", &["random", "random"]),
        match_of(0),
        match_of(2).sprt(Sprt::new(10.0, 0.0, 0.05, 0.05)),
        match_of(2).sprt(Sprt::new(0.0, 10.0, 0.0, 0.05)),
        Tournament::new("tic-tac-toe", &["random", "random", "random"]).sprt(Sprt::default()),
        both,
    ] {
        assert!(run(&tournament, &options, &|_| {}).is_err(), "{tournament:?}");
        assert!(!path.exists());
    }
}

#[test]
fn the_sequential_test_stops_early_and_says_what_it_found() {
    let sprt = Sprt::new(0.0, 60.0, 0.05, 0.05);
    let better = run(&match_of(20_000).sprt(sprt), &Options::default(), &|_| {}).unwrap();
    assert_eq!(better.sprt.as_ref().unwrap().verdict, Verdict::AcceptH1);
    assert_eq!(better.status, Status::Decided);
    assert!(better.games < 2_000, "{}", better.table());
    assert!(better.table().contains("H1 accepted"));
    let equal = Tournament::new("tic-tac-toe", &["random", "random"]).games(20_000).seed(1).sprt(sprt);
    let report = run(&equal, &Options::default(), &|_| {}).unwrap();
    assert_eq!(report.sprt.unwrap().verdict, Verdict::AcceptH0);
}

#[test]
fn every_game_replays_from_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record");
    let tournament = match_of(40).opening_plies(3);
    json(&tournament, &Options::default().record(&path, false));
    let (found, pairs) = read_record(&path).unwrap();
    assert_eq!(found, tournament);
    assert_eq!(pairs.len(), 20);
    let tic_tac_toe = game("tic-tac-toe").unwrap();
    for pair in &pairs {
        assert_eq!(pair.opening.len(), 3);
        for game in &pair.games {
            let moves = replay(&*tic_tac_toe, &pair.opening, game).unwrap();
            assert_eq!(moves.len(), 3 + game.moves.len());
            assert_eq!(moves[0].side, Some(Side::First));
        }
        assert_eq!((pair.games[0].first, pair.games[1].first), (0, 1), "seats are swapped");
        let mut forged = pair.games[0].clone();
        forged.moves.pop();
        assert!(replay(&*tic_tac_toe, &pair.opening, &forged).is_err());
        forged.moves.push(pair.opening[0]);
        assert!(replay(&*tic_tac_toe, &pair.opening, &forged).is_err());
    }
}

/// How a mind is made.
type Maker<G> = fn() -> Box<dyn Mind<G>>;

/// A game that is in no catalogue, with minds that play anything.
fn race(
    minds: [Maker<DiceRace>; 2],
    tournament: &Tournament,
    options: &Options,
) -> Result<Report, ArenaError> {
    let halls = || -> Box<dyn ludens_core::Hall> {
        let [one, two] = minds;
        Box::new(HallOf::new(Arc::new(DiceRace)).with(move || Ok(one())).with(move || Ok(two())))
    };
    run_in(&halls, tournament, options, &|_| {})
}

fn random() -> Box<dyn Mind<DiceRace>> {
    Box::new(ludens_search::Random)
}

#[test]
fn both_games_of_a_pair_see_the_same_dice() {
    let folder = tempfile::tempdir().unwrap();
    for paired in [true, false] {
        let path = folder.path().join(format!("dice {paired}"));
        let mut tournament = Tournament::new("dice-race", &["random", "depth1"]).games(40).opening_plies(0);
        tournament.paired_dice = paired;
        let options = Options::default().record(&path, false);
        race([random, || Box::new(ludens_search::DepthOne)], &tournament, &options).unwrap();
        let (_, pairs) = read_record(&path).unwrap();
        let same = pairs.iter().filter(|pair| {
            let [one, two] = &pair.games;
            let rolls = |moves: &[Move]| DiceRace::rolls(moves);
            rolls(&one.moves).iter().zip(rolls(&two.moves)).all(|(x, y)| *x == y)
        });
        assert_eq!(same.count() == pairs.len(), paired);
    }
}

#[test]
fn equal_minds_without_chance_of_their_own_share_every_pair() {
    // Same dice, same opening, same way of playing: whoever has the better dice wins both, so every pair is even.
    let tournament = Tournament::new("dice-race", &["a", "b"]).games(100);
    let greedy: Maker<DiceRace> = || Box::new(Greedy);
    let report = race([greedy, greedy], &tournament, &Options::default()).unwrap();
    assert_eq!(report.pairings[0].tally.pentanomial, [0, 0, 50, 0, 0]);
    assert_eq!(report.pairings[0].score, 0.5);
}

/// Minds with a fault: one breaks the rules, one breaks down.
struct Cheat;
struct Broken;

impl Mind<TicTacToe> for Cheat {
    fn rank(
        &mut self,
        _: &TicTacToe,
        _: &<TicTacToe as Game>::State,
        _: &mut Ctx,
    ) -> Result<Ranking, MindError> {
        Ok(Ranking::of([(Move(999), 1.0)]))
    }
}

impl Mind<TicTacToe> for Broken {
    fn rank(
        &mut self,
        _: &TicTacToe,
        _: &<TicTacToe as Game>::State,
        _: &mut Ctx,
    ) -> Result<Ranking, MindError> {
        Err(MindError::Stuck { mind: "broken".into(), problem: "its file has vanished".into() })
    }
}

/// Nobody stands in for a mind that cannot go on: the match ends with an error that says who and why.
#[test]
fn a_mind_that_fails_ends_the_match_with_its_words() {
    let make: [Maker<TicTacToe>; 2] = [|| Box::new(Cheat), || Box::new(Broken)];
    for (name, make, said) in [
        ("cheat", make[0], "cheat chose the illegal move 999"),
        (
            "broken",
            make[1],
            "pair 0 has no result: broken could not go on: broken cannot go on: its file has vanished",
        ),
    ] {
        let tournament = Tournament::new("tic-tac-toe", &[name, "random"]).games(10);
        let halls = || -> Box<dyn ludens_core::Hall> {
            let hall = HallOf::new(Arc::new(TicTacToe)).with(move || Ok(make()));
            Box::new(hall.with(|| Ok(Box::new(ludens_search::Random))))
        };
        let error = run_in(&halls, &tournament, &Options::default(), &|_| {}).unwrap_err();
        assert!(error.to_string().starts_with(said), "{error}");
    }
}

#[test]
fn endless_games_are_cut_and_said_so() {
    let mut tournament = Tournament::new("dice-race", &["random", "random"]).games(10);
    tournament.max_plies = 3;
    let report = race([random, random], &tournament, &Options::default()).unwrap();
    assert_eq!(report.cut_games, 10);
    assert_eq!(report.pairings[0].tally.draws, 10);
}
