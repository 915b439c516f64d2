//! What the text leaves open, one point at a time, from our reading and from the text word for word; each over many runs.

use ludens_core::Spec;
use ludens_learners::actr::reading::Twist;

use super::*;

/// What the others are changed from: `""` is ours.
const BASES: [(&str, &str); 2] = [("as read here", ""), ("word for word", "variant=literal")];

/// One point in which the text can be read otherwise.
struct Open {
    differs: &'static str,
    /// As a user would write it behind `actr:`.
    settings: &'static str,
    why: &'static str,
}

const fn open(differs: &'static str, settings: &'static str, why: &'static str) -> Open {
    Open { differs, settings, why }
}

const NO_CAP: &str = "no cap on chunks";

/// The names of our reading and of the same without a cap on its chunks.
pub(super) fn capped() -> [String; 2] {
    let (ours, _) = BASES[0];
    [ours.into(), format!("{ours}: {NO_CAP}")]
}

/// Each is tried from both bases.
const POINTS: [Open; 17] = [
    open(
        "a prior in the ratio of games won to lost",
        "reading=neutral",
        "“chunk a new feature with neutral odds”: with one added to both counts a new chunk is not neutral while most games are lost",
    ),
    open(
        "exposed only with an opponent ahead",
        "reading=met",
        "“opponents lying ahead of the point that could potentially attack”: without one nobody can",
    ),
    open(
        "no cap on chunks, a nearer threshold for blocks",
        "capacity=100000,block=0.1",
        "fewer than 50 is what it found, not a rule; blocks of its table 2 lie nearer to each other than our threshold",
    ),
    open(
        "chunks from the chosen play only",
        "reading=chosen",
        "“previously experienced features”, though the decision cycle chunks for each move",
    ),
    open(
        "asked within a mismatch of .3, chunked beyond .12",
        "retrieval=0.3",
        "a threshold is named for matching and one for storing; that they are the same is not said",
    ),
    open("all chunks of the kind are asked", "retrieval=1", "weighted nearest neighbours need no threshold"),
    open("a partial loss of one half", "partial-loss=0.5", "a “partial loss” is less than a loss"),
    open(
        "F(W) and F(L) over occurrences",
        "reading=occurrences",
        "“frequencies”: where features count at each occurrence, wins may too",
    ),
    open("the best play at the test", "reading=greedy", "with learning off there is nothing to explore"),
    open(
        "a temperature that cools, the best play at the test",
        "reading=cooling+greedy",
        "t is called a noise parameter, and its value is not given",
    ),
    open("always on roll first", "reading=first", "who begins is not said"),
    open(
        "pubeval with the race flag after the move",
        "reading=race-after",
        "pubeval is told by its caller whether it is a race",
    ),
    open(
        "a pubeval that forgets the men borne off",
        "reading=no-off",
        "a slip that ports of it make: nobody fills in that number",
    ),
    open(
        "blocks without single points",
        "reading=walls",
        "“a set of adjacent points” could be two at least, though table 2 has blocks of one",
    ),
    open("only features newly made", "reading=made", "“features resulting from a move”"),
    open(
        "all features decide, newly made ones count",
        "reading=count-made",
        "the same, where those removed divide: by features before the play, which are the same for all plays",
    ),
    open(
        "a double is two moves",
        "reading=two-moves",
        "“two checkers the distance of each die roll” could mean two in all",
    ),
];

/// Tried from one base: the account of what lifts the published player, and combinations.
const MORE: [(&str, Open); 17] = [
    (
        "variant=literal",
        open("every occurrence counts", "every=true", "“all features involved in that game”"),
    ),
    (
        "variant=literal",
        open("a partial loss of 5", "partial-loss=5", "the size of a partial loss is not given"),
    ),
    (
        "variant=literal",
        open("the opponent's features with his outcome", "observe=true", "a player sees both sides"),
    ),
    ("variant=literal", open("races by rule", "racing=true", "the features say nothing about races")),
    (
        "variant=literal",
        open("opponents ahead as in the paper's example", "ahead=before", "its numbers agree with that"),
    ),
    ("", open("one occurrence a game", "every=false", "“win or loss based on outcome of game”")),
    ("", open("a partial loss of 1", "partial-loss=1", "the size of a partial loss is not given")),
    ("", open("own features only", "observe=false", "the opponent's are not mentioned")),
    ("", open("races by the features", "racing=false", "no rule for races is mentioned")),
    ("", open("opponents ahead as in the paper's example", "ahead=before", "its numbers agree with that")),
    ("", open("threshold .06, no cap", "threshold=0.06,capacity=100000", "thresholds are not given")),
    ("", open(NO_CAP, "capacity=100000", "fewer than 50 is what it found, not a rule")),
    ("", open("temperature .1", "temperature=0.1", "t is not given")),
    (
        "",
        open(
            "thresholds of their own: blocks .1, exposed men .2",
            "block=0.1,expose=0.2",
            "thresholds are not given, nor that one serves all kinds",
        ),
    ),
    (
        "",
        open(
            "blocks .1, all else .2, exposed only with an opponent ahead",
            "threshold=0.2,block=0.1,reading=met",
            "two of the points above together",
        ),
    ),
    (
        "",
        open(
            "no cap, blocks .1, exposed only with an opponent ahead",
            "capacity=100000,block=0.1,reading=met",
            "two of the points above together",
        ),
    ),
    (
        "variant=literal",
        open(
            "F(W) and F(L) over occurrences, a prior in their ratio",
            "reading=neutral+occurrences",
            "two of the points above together",
        ),
    ),
];

/// A reading with its place in the table.
pub(super) struct Reading {
    pub(super) name: String,
    /// As a user would write it behind `actr:`; empty for ours.
    pub(super) settings: String,
    pub(super) why: &'static str,
}

/// All of them: the two bases first.
pub(super) fn readings() -> Vec<Reading> {
    let base_name =
        |base: &str| BASES.iter().find(|(_, settings)| *settings == base).map_or("", |(name, _)| name);
    let reading = |base: &str, open: &Open| {
        let both: Vec<&str> = [base, open.settings].into_iter().filter(|text| !text.is_empty()).collect();
        let name = if open.differs.is_empty() {
            base_name(base).to_string()
        } else {
            format!("{}: {}", base_name(base), open.differs)
        };
        Reading { name, settings: both.join(","), why: open.why }
    };
    let mut readings: Vec<Reading> =
        BASES.iter().map(|(_, base)| reading(base, &open("", "", "the base of those below"))).collect();
    for (_, base) in BASES {
        readings.extend(POINTS.iter().map(|open| reading(base, open)));
    }
    readings.extend(MORE.iter().map(|(base, open)| reading(base, open)));
    readings
}

impl Reading {
    pub(super) fn read(&self) -> Result<Settings, LabError> {
        let text = if self.settings.is_empty() { "actr".into() } else { format!("actr:{}", self.settings) };
        let mut spec: Spec = text.parse().map_err(LabError::other)?;
        let literal =
            spec.take_or("variant", String::new(), "literal").map_err(LabError::other)? == "literal";
        let base = if literal { Settings::literal() } else { Settings::default() };
        let settings = Settings::read(&mut spec, &base).map_err(LabError::other)?;
        spec.finish(&[]).map_err(LabError::other)?;
        Ok(settings)
    }

    /// Whether it is another game or another opponent: no better player, however much it wins.
    pub(super) fn another_game(&self) -> Result<bool, LabError> {
        let reading = self.read()?.reading;
        let others = [Twist::First, Twist::RaceAfter, Twist::NoOff, Twist::TwoMoves];
        Ok(others.into_iter().any(|twist| reading.has(twist)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reading_is_another() {
        let all: Vec<Settings> = readings().iter().map(|reading| reading.read().unwrap()).collect();
        for (index, one) in all.iter().enumerate() {
            let name = &readings()[index].name;
            assert!(!all[..index].contains(one), "{name} is tried twice");
        }
        let names: Vec<String> = readings().into_iter().map(|reading| reading.name).collect();
        assert!(capped().iter().all(|name| names.contains(name)));
        assert!(readings().iter().all(|reading| !reading.why.is_empty()));
    }
}
