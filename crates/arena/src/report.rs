//! What people read after a tournament.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use ludens_core::shown::cut_to;
use serde::{Deserialize, Serialize};

use crate::elo::{self, Pairing};
use crate::sprt::{Verdict, elo_of_score};
use crate::stats::{Interval, Z95, normal_cdf, wilson};
use crate::{PairRecord, Tally, Tournament};

/// The most characters of a mind's name in the table.
const LONGEST_NAME: usize = 60;

/// How a tournament ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// All games were played.
    Finished,
    /// The sequential test ended it.
    Decided,
    /// Stopped from outside; `--resume` goes on.
    Interrupted,
}

/// A count with its share and Wilson's 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// Their part of all, from 0 to 1.
    pub share: f64,
    /// Where the true share lies in 95 of 100 cases.
    pub interval: Interval,
}

impl Share {
    /// `count` of `all`.
    pub fn of(count: u64, all: u64) -> Share {
        let share = if all == 0 { 0.0 } else { count as f64 / all as f64 };
        Share { count, share, interval: wilson(count as f64, all as f64, Z95) }
    }
}

/// One mind against all it met.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// The name of the mind.
    pub mind: String,
    /// The games it played.
    pub games: u64,
    /// Those it won.
    pub wins: Share,
    /// Those nobody won.
    pub draws: Share,
    /// Those it lost.
    pub losses: Share,
    /// Points per game.
    pub score: f64,
    /// Bradley–Terry, relative to the mean of all.
    pub elo: f64,
    /// Half the 95 % interval of `elo`.
    pub elo_plus_minus: f64,
    /// States examined for one decision, on average.
    pub states_per_move: f64,
    /// Games it lost because it could not go on.
    #[serde(default)]
    pub failures: u64,
}

/// One mind against one other, as the first sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairingReport {
    /// The name of the one mind.
    pub a: String,
    /// The name of the other.
    pub b: String,
    /// The results as `a` sees them.
    pub tally: Tally,
    /// Points of `a` per game.
    pub score: f64,
    /// 95 %, from the spread of the pairs.
    pub score_interval: Interval,
    /// The Elo difference; none where it is without bound, as are its ends.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end of its 95 % interval.
    pub elo_high: Option<f64>,
    /// The chance that `a` is the stronger one.
    pub los: f64,
    /// Share of the points made by whoever moved first.
    pub first_move_score: f64,
}

/// A sequential test and where it stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtReport {
    /// H0: the first mind is at most so much better.
    pub elo0: f64,
    /// H1: the first mind is at least so much better.
    pub elo1: f64,
    /// The chance of accepting H1 when H0 holds.
    pub alpha: f64,
    /// The chance of accepting H0 when H1 holds.
    pub beta: f64,
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted below this ratio.
    pub lower: f64,
    /// H1 is accepted above this ratio.
    pub upper: f64,
    /// What the test says.
    pub verdict: Verdict,
}

/// The whole result. It depends on the tournament alone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// What was played.
    pub tournament: Tournament,
    /// How it ended.
    pub status: Status,
    /// The games played.
    pub games: u64,
    /// Games that differ from every other: minds without chance from few openings repeat themselves.
    pub distinct_games: u64,
    /// Games ended by the limit on plies.
    pub cut_games: u64,
    /// Best first.
    pub standings: Vec<Standing>,
    /// In the order of [`Tournament::pairings`].
    pub pairings: Vec<PairingReport>,
    /// The sequential test, where there was one.
    pub sprt: Option<SprtReport>,
}

/// The running sums.
#[derive(Clone)]
pub(crate) struct Fold {
    tournament: Tournament,
    pub tallies: Vec<Tally>,
    decisions: Vec<u64>,
    states: Vec<u64>,
    failures: Vec<u64>,
    distinct: HashSet<u64>,
    games: u64,
    cut: u64,
}

impl Fold {
    pub fn new(tournament: &Tournament) -> Fold {
        Fold {
            tallies: vec![Tally::default(); tournament.pairings().len()],
            decisions: vec![0; tournament.minds.len()],
            states: vec![0; tournament.minds.len()],
            failures: vec![0; tournament.minds.len()],
            distinct: HashSet::new(),
            games: 0,
            cut: 0,
            tournament: tournament.clone(),
        }
    }

    pub fn add(&mut self, pair: &PairRecord) {
        let [one, two] = &pair.games;
        // Mind `a` moves first in game 0 and second in game 1.
        self.tallies[pair.pairing].add_pair([one.score.0, -two.score.0]);
        for game in &pair.games {
            for (seat, mind) in [game.first, game.second].into_iter().enumerate() {
                self.decisions[mind] += game.decisions[seat];
                self.states[mind] += game.states[seat];
            }
            if let Some(failures) = game.failed.and_then(|mind| self.failures.get_mut(mind)) {
                *failures += 1;
            }
            let mut hasher = DefaultHasher::new();
            (game.first, game.second, &pair.opening, &game.moves).hash(&mut hasher);
            self.distinct.insert(hasher.finish());
            self.games += 1;
            self.cut += u64::from(game.cut);
        }
    }

    pub fn report(self, status: Status) -> Report {
        let pairs = self.tournament.pairings();
        let minds = &self.tournament.minds;
        let pairings = pairs
            .iter()
            .zip(&self.tallies)
            .map(|(&(a, b), tally)| PairingReport::new(&minds[a], &minds[b], *tally))
            .collect();
        let sprt = self.tournament.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            let pentanomial = &self.tallies[0].pentanomial;
            SprtReport {
                elo0: sprt.elo0,
                elo1: sprt.elo1,
                alpha: sprt.alpha,
                beta: sprt.beta,
                llr: sprt.llr(pentanomial),
                lower,
                upper,
                verdict: sprt.verdict(pentanomial),
            }
        });
        Report {
            standings: self.standings(&pairs),
            status,
            games: self.games,
            distinct_games: self.distinct.len() as u64,
            cut_games: self.cut,
            pairings,
            sprt,
            tournament: self.tournament,
        }
    }

    fn standings(&self, pairs: &[(usize, usize)]) -> Vec<Standing> {
        let minds = &self.tournament.minds;
        let met: Vec<Pairing> = pairs
            .iter()
            .zip(&self.tallies)
            .map(|(&(a, b), tally)| Pairing {
                a,
                b,
                games: tally.games() as f64,
                points: tally.wins as f64 + 0.5 * tally.draws as f64,
            })
            .collect();
        let ratings = elo::bradley_terry(minds.len(), &met);
        let mut standings: Vec<Standing> = (0..minds.len())
            .map(|mind| {
                let [mut wins, mut draws, mut losses] = [0; 3];
                for (&(a, b), tally) in pairs.iter().zip(&self.tallies) {
                    draws += if mind == a || mind == b { tally.draws } else { 0 };
                    wins += if mind == a { tally.wins } else { 0 } + if mind == b { tally.losses } else { 0 };
                    losses +=
                        if mind == a { tally.losses } else { 0 } + if mind == b { tally.wins } else { 0 };
                }
                let games = wins + draws + losses;
                Standing {
                    mind: minds[mind].clone(),
                    games,
                    wins: Share::of(wins, games),
                    draws: Share::of(draws, games),
                    losses: Share::of(losses, games),
                    score: if games == 0 { 0.5 } else { (wins as f64 + 0.5 * draws as f64) / games as f64 },
                    elo: ratings[mind].elo,
                    elo_plus_minus: ratings[mind].plus_minus,
                    states_per_move: self.states[mind] as f64 / self.decisions[mind].max(1) as f64,
                    failures: self.failures[mind],
                }
            })
            .collect();
        // A stable sort: equals stay in the order in which they were named.
        standings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        standings
    }
}

impl PairingReport {
    /// The report of a tally: score, Elo and their intervals.
    pub fn new(a: &str, b: &str, tally: Tally) -> PairingReport {
        let score = tally.score();
        let error = tally.standard_error();
        // All pairs alike say nothing about their spread: fall back on the binomial interval.
        let score_interval = if error > 0.0 && tally.pairs() > 1 {
            Interval::new((score - Z95 * error).max(0.0), (score + Z95 * error).min(1.0))
        } else {
            wilson(score * tally.games() as f64, tally.games() as f64, Z95)
        };
        let finite = |score: f64| Some(elo_of_score(score)).filter(|elo| elo.is_finite());
        let los = if error > 0.0 {
            normal_cdf((score - 0.5) / error)
        } else {
            0.5 + 0.5 * (score - 0.5).signum() * f64::from(u8::from(score != 0.5))
        };
        let [wins, draws, losses] = tally.as_first;
        let second_losses = tally.losses - losses;
        let second_draws = tally.draws - draws;
        let first_points = (wins + second_losses) as f64 + 0.5 * (draws + second_draws) as f64;
        PairingReport {
            a: a.into(),
            b: b.into(),
            score,
            score_interval,
            elo: finite(score),
            elo_low: finite(score_interval.low),
            elo_high: finite(score_interval.high),
            los,
            first_move_score: if tally.games() == 0 { 0.5 } else { first_points / tally.games() as f64 },
            tally,
        }
    }
}

impl Report {
    /// The report as a table for the terminal.
    pub fn table(&self) -> String {
        let mut text = String::new();
        // A mind may be a path or a list of settings of any length; a line of a table has an end.
        let name = |mind: &str| cut_to(mind, LONGEST_NAME).into_owned();
        let widths = self.tournament.minds.iter().map(|mind| name(mind).chars().count());
        let width = widths.max().unwrap_or(4).max(4);
        let _ = writeln!(
            text,
            "{:>2}  {:width$}  {:>6}  {:>17}  {:>6}  {:>6}  {:>6}  {:>6}  {:>11}",
            "#", "mind", "games", "score", "wins", "draws", "losses", "Elo", "± / st·move"
        );
        for (place, row) in self.standings.iter().enumerate() {
            let points = wilson(row.score * row.games as f64, row.games as f64, Z95);
            let _ = writeln!(
                text,
                "{:>2}  {:width$}  {:>6}  {:>5.1}% [{:>4.1} {:>4.1}]  {:>6}  {:>6}  {:>6}  {:>+6.0}  {:>4.0} {:>6.0}",
                place + 1,
                name(&row.mind),
                row.games,
                100.0 * row.score,
                100.0 * points.low,
                100.0 * points.high,
                row.wins.count,
                row.draws.count,
                row.losses.count,
                row.elo,
                row.elo_plus_minus,
                row.states_per_move,
            );
        }
        for pairing in &self.pairings {
            let tally = &pairing.tally;
            let _ = writeln!(
                text,
                "\n{} against {}: +{} ={} −{}, {:.1}% [{:.1} {:.1}], Elo {}",
                name(&pairing.a),
                name(&pairing.b),
                tally.wins,
                tally.draws,
                tally.losses,
                100.0 * pairing.score,
                100.0 * pairing.score_interval.low,
                100.0 * pairing.score_interval.high,
                elo_text(pairing),
            );
            let _ = writeln!(
                text,
                "  pairs by points 0, ½, 1, 1½, 2: {:?}; LOS {:.1}%; whoever moves first makes {:.1}%",
                tally.pentanomial,
                100.0 * pairing.los,
                100.0 * pairing.first_move_score,
            );
        }
        self.write_notes(&mut text);
        text
    }

    fn write_notes(&self, text: &mut String) {
        if let Some(sprt) = &self.sprt {
            let verdict = match sprt.verdict {
                Verdict::AcceptH1 => format!("H1 accepted: at least {} Elo better", sprt.elo1),
                Verdict::AcceptH0 => format!("H0 accepted: not more than {} Elo better", sprt.elo0),
                Verdict::Undecided => "undecided: play more games".into(),
            };
            let _ = writeln!(
                text,
                "\nSPRT [{}, {}] α {} β {}: LLR {:.2} ({:.2}, {:.2}), {verdict}",
                sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.llr, sprt.lower, sprt.upper
            );
        }
        if self.distinct_games < self.games {
            let _ = writeln!(
                text,
                "\nOnly {} of the {} games differ; the intervals believe them independent. Longer openings help.",
                self.distinct_games, self.games
            );
        }
        for row in self.standings.iter().filter(|row| row.failures > 0) {
            let _ = writeln!(
                text,
                "\n{} could not go on in {} of its {} games; each counts as lost.",
                cut_to(&row.mind, LONGEST_NAME),
                row.failures,
                row.games
            );
        }
        if self.cut_games > 0 {
            let _ =
                writeln!(text, "\n{} games were cut at {} plies.", self.cut_games, self.tournament.max_plies);
        }
        if self.status == Status::Interrupted {
            let _ = writeln!(text, "\nInterrupted; --resume goes on.");
        }
    }
}

fn elo_text(pairing: &PairingReport) -> String {
    let bound = |value: Option<f64>, without: &str| value.map_or(without.into(), |elo| format!("{elo:+.0}"));
    let beyond = if pairing.score > 0.5 { "+∞" } else { "−∞" };
    format!(
        "{} [{} {}]",
        bound(pairing.elo, beyond),
        bound(pairing.elo_low, "−∞"),
        bound(pairing.elo_high, "+∞")
    )
}
