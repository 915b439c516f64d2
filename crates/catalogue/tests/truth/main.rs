//! Every sentence said to a person is true: what it claims is checked against the rules, by playing it out at a table, which is other code
//! than that which makes the claim.

use std::collections::BTreeMap;
use std::sync::Arc;

use ludens_catalogue::{Catalogue, House};
use ludens_core::words::{Claim, Scene, Voice, ledger, sentence};
use ludens_core::{Budget, Decision, Explain, Front, NoModels, Rng, Side, Table};

mod look;
mod things;

use look::Look;

/// Sentences to check; `LUDENS_TRUTH_SENTENCES=100000` is the run by hand.
fn wanted() -> usize {
    std::env::var("LUDENS_TRUTH_SENTENCES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_500)
}

/// A sentence for everyone: short, with a beginning and an end, and with no figure that a person would stumble over.
fn reads_well(text: &str) {
    let first = text.chars().next().unwrap_or(' ');
    assert!(first.is_uppercase() || first.is_ascii_digit() || first.is_lowercase(), "{text}");
    assert!(text.ends_with('.') && text.chars().count() < 170, "{text}");
    for wrong in ["−0 ", "-0 ", "+0 ", "NaN", "inf", "  ", " ,", "..", "()", "None", "Some", "⟨", ":-"] {
        assert!(!text.contains(wrong), "{text:?} holds {wrong:?}");
    }
    let digits = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    for figure in
        digits.filter(|figure| figure.contains('.') && !figure.starts_with('.') && !figure.ends_with('.'))
    {
        assert!(figure.len() <= 5, "{text:?}: more digits than anybody reads");
    }
}

/// The names of the cells that a claim speaks of are in its sentence.
fn names_its_cells(text: &str, claim: &Claim, scene: &Scene) {
    let named: &[u16] = match claim {
        Claim::Fork { at } | Claim::LetsWin { at } | Claim::CannotStop { at } | Claim::Takes { at } => at,
        Claim::Hits { at } | Claim::MakesPoint { at } | Claim::LeavesBlot { at } => at,
        Claim::Threat { at }
        | Claim::Blocks { at, .. }
        | Claim::Corner { at }
        | Claim::GivesCorner { at } => std::slice::from_ref(at),
        _ => &[],
    };
    let on_points = scene.board.layout == ludens_core::Layout::Points;
    for cell in named {
        // Points are counted as the mover counts them.
        let name = match scene.mover {
            Side::Second if on_points => (24 - cell).to_string(),
            _ => scene.board.cell_name(usize::from(*cell)),
        };
        assert!(text.contains(&name), "{text} does not name {name}");
    }
}

fn games(house: &House) -> Vec<Arc<dyn Front>> {
    let rules = ["breakthrough", "hex-7"]
        .map(|name| format!("{}/../gdl/rules/{name}.kif", env!("CARGO_MANIFEST_DIR")));
    let names = house.games.list().into_iter().map(|about| about.id.clone()).chain(rules);
    names.map(|name| house.games.open(&name).unwrap()).collect()
}

/// A random position of a game; some near its end, where most happens.
fn somewhere(table: &mut dyn Table, rng: &mut Rng) {
    table.restart(None).unwrap();
    let plies = rng.below(60);
    for _ in 0..plies {
        table.roll(rng);
        let moves = table.moves();
        if moves.is_empty() {
            break;
        }
        table.play(moves[rng.below(moves.len() as u32) as usize]).unwrap();
    }
    while table.is_over() {
        table.undo();
    }
    table.roll(rng);
}

const VOICES: [Voice; 3] = [Voice::ToOpponent, Voice::ToMover, Voice::ToOnlooker];
/// Minds whose decisions are explained.
const MINDS: [&str; 3] = ["alphabeta:depth=3", "uct:sims=60", "depth1"];

#[test]
fn every_sentence_is_true() {
    let house = House::from(Catalogue::standard());
    let games = games(&house);
    let (mut said, mut kinds) = (0, BTreeMap::<String, u32>::new());
    let mut rng = Rng::new(31);
    let mut round = 0;
    while said < wanted() {
        round += 1;
        assert!(round < 2_000_000, "only {said} sentences were said: {kinds:?}");
        for front in &games {
            let mut table = front.table(Arc::new(NoModels));
            somewhere(&mut *table, &mut rng);
            let Some(side) = table.to_move() else { continue };
            let mind = MINDS[rng.below(MINDS.len() as u32) as usize];
            let mut decision =
                table.think(mind, &mut Rng::new(round), Budget::States(600), Explain::EVERYTHING).unwrap();
            table.speak(&mut decision, Voice::ToOnlooker);
            let own = table.claims(decision.mv);
            assert!(decision.claims.iter().all(|claim| own.contains(claim)), "a reason is true of the move");
            let (board, lines) = (table.view().board, front.facts().lines);
            for mv in table.moves() {
                for claim in table.claims(mv) {
                    let scene = Scene { board: &board, mover: side, voice: VOICES[said % VOICES.len()] };
                    let text = sentence(&claim, &scene);
                    let mut look = Look { table: &mut *table, side };
                    let holds = look.holds(mv, &claim, &lines);
                    assert!(holds, "{} at {}, {mv:?}: {text} ({claim:?})", front.id(), table.view().text);
                    reads_well(&text);
                    names_its_cells(&text, &claim, &scene);
                    let kind = format!("{claim:?}");
                    *kinds.entry(kind.split([' ', '{']).next().unwrap().into()).or_default() += 1;
                    said += 1;
                }
            }
        }
    }
    println!("{said} sentences, none of them false: {kinds:?}");
    for kind in [
        "Wins",
        "Blocks",
        "Fork",
        "Threat",
        "Turns",
        "Takes",
        "Corner",
        "GivesCorner",
        "LetsWin",
        "Hits",
        "MakesPoint",
        "LeavesBlot",
        "BearsOff",
    ] {
        assert!(kinds.contains_key(kind), "nothing was said of {kind}: {kinds:?}");
    }
}

/// Every mind that explains itself on a game: the plain ones, and the trained ones of the zoo.
fn minds(house: &House, front: &dyn Front) -> Vec<String> {
    let plain =
        ["random", "depth1", "alphabeta:depth=3", "uct:sims=60", "guided:sims=60", "solver", "pubeval"];
    let playing = front.minds();
    let known = |mind: &&str| playing.iter().any(|about| about.name == mind.split(':').next().unwrap());
    let trained = house.games.zoo().animals().iter().filter(|animal| animal.game == front.id());
    let plain = plain.into_iter().filter(known).map(String::from);
    plain.chain(trained.map(|animal| format!("zoo:{}", animal.name))).collect()
}

/// What each mind says of its own decisions: the things its reasons point at are there, the ends it foretells come, the figures are those of
/// the ledger, and all of it can be read.
#[test]
fn every_mind_speaks_the_truth() {
    let house = House::from(Catalogue::standard());
    let mut checked = things::Checked::default();
    let rounds = (wanted() as u64 / 800).max(2);
    for front in games(&house) {
        for mind in minds(&house, &*front) {
            let before = checked.said;
            let mut table = front.table(Arc::new(NoModels));
            for round in 0..rounds {
                let mut rng = Rng::stream(57, round);
                somewhere(&mut *table, &mut rng);
                let Some(side) = table.to_move() else { continue };
                table.new_game(&mind).unwrap();
                let mut decision =
                    table.think(&mind, &mut rng, Budget::States(400), Explain::EVERYTHING).unwrap();
                table.speak(&mut decision, Voice::ToOpponent);
                speaks_truly(&*front, &mut *table, side, &decision, &mut checked);
            }
            assert!(checked.said > before, "{mind} on {} says nothing", front.id());
        }
    }
    println!("{} sentences and terms of minds, none of them false: {:?}", checked.said, checked.kinds);
}

fn speaks_truly(
    front: &dyn Front,
    table: &mut dyn Table,
    side: Side,
    decision: &Decision,
    checked: &mut things::Checked,
) {
    let position = table.view().text;
    for voice in VOICES {
        let said = table.tell(decision, decision.mv, voice);
        assert!(said.len() <= 4, "{said:?}");
        for text in &said {
            reads_well(text);
            checked.said += 1;
        }
        let addressed = said.iter().any(|text| text.contains("you"));
        assert!(voice != Voice::ToOnlooker || !addressed, "nobody is spoken to: {said:?}");
    }
    for candidate in &decision.why.moves {
        for text in table.contrast(decision, candidate.mv, Voice::ToOpponent).into_iter().flat_map(|c| c.said)
        {
            assert!(text.ends_with('.') && !text.contains("  "), "{text}");
        }
        let lines = front.facts().lines;
        let mut look = Look { table, side };
        checked.move_at(&mut look, candidate, &lines, &format!("{} at {position}", front.id()));
    }
    reads_well_or_long(&decision.why.how.sentence());
    checked.said += 1;
    let words = ledger(&decision.ledger).join(" ").replace(',', "");
    let ledger = &decision.ledger;
    for figure in [ledger.games, ledger.labels, ledger.weights, ledger.chunks].into_iter().filter(|n| *n > 0)
    {
        assert!(words.split(' ').any(|word| word == figure.to_string()), "{figure} is not in {words:?}");
        checked.said += 1;
    }
}

/// How a mind decides may take a few words more.
fn reads_well_or_long(text: &str) {
    assert!(
        text.ends_with('.') && text.chars().count() < 260 && text.starts_with(char::is_uppercase),
        "{text}"
    );
}
