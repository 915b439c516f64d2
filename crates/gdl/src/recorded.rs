//! Random games of a two-player game with all their positions, 512 at a time on the bit-parallel machine.

use crate::game::GdlGame;
use crate::lanes::{Word, any, read};
use crate::observe::TurnRule;
use crate::playouts::{Lanes, for_each_bit};
use ludens_core::{RecordedGame, Rng, Score, Side};

/// Words of a lane group.
const WIDTH: usize = 8;
/// Games played at a time.
pub const GAMES_AT_A_TIME: usize = 64 * WIDTH;

impl GdlGame {
    /// [`GAMES_AT_A_TIME`] random games of at most `longest` moves. None where the game has no board, or where it takes more than a fact to
    /// tell whose turn it is.
    pub(crate) fn record_lanes(&self, longest: u32, rng: &mut Rng) -> Option<Vec<RecordedGame>> {
        let map = self.board_map()?;
        let TurnRule::Facts(turn) = self.turn_rule() else { return None };
        let grounded = self.description().grounded().ok()?;
        let network = &grounded.network;
        let bits = network.initial_bits();
        let init = (0..network.facts.len()).map(|i| bits[i / 64] >> (i % 64) & 1 == 1).collect();
        let squares = map.columns.len() * map.rows.len();
        let pieces: Vec<(usize, usize, u8)> = map
            .squares
            .iter()
            .enumerate()
            .filter_map(|(fact, place)| place.filter(|p| p.1 != 0).map(|(s, p)| (fact, usize::from(s), p)))
            .collect();
        let empty =
            RecordedGame { boards: Vec::new(), to_move: Vec::new(), choices: Vec::new(), score: None };
        let mut games = vec![empty; GAMES_AT_A_TIME];
        let mut lanes = Lanes::<WIDTH>::new(network, &grounded.code, init, rng);
        let players = self.players();
        lanes.watch(longest, |look| {
            let first = look.fact(turn[0]);
            each(&look.live, |lane| {
                games[lane].boards.push(vec![0; squares]);
                let side = if bit(&first, lane) { Side::First } else { Side::Second };
                games[lane].to_move.push(Some(side));
                games[lane].choices.push(0);
            });
            for &(fact, square, piece) in &pieces {
                each(&and(look.fact(fact as u32), look.live), |lane| {
                    if let Some(board) = games[lane].boards.last_mut() {
                        board[square] = piece;
                    }
                });
            }
            for (side, &role) in players.iter().enumerate() {
                let movers = if side == 0 { first } else { first.map(|w| !w) };
                for legal in look.legal(role) {
                    each(&and(and(legal, movers), look.going), |lane| {
                        if let Some(count) = games[lane].choices.last_mut() {
                            *count += 1;
                        }
                    });
                }
            }
            each(&look.ended, |lane| {
                let goal = |side: usize| f32::from(look.goal(players[side], lane).unwrap_or(50));
                games[lane].score = Some(Score((goal(0) - goal(1)) / 100.0));
            });
        });
        Some(games)
    }
}

fn bit<const L: usize>(word: &Word<L>, lane: usize) -> bool {
    word[lane / 64] >> (lane % 64) & 1 == 1
}

fn and<const L: usize>(a: Word<L>, b: Word<L>) -> Word<L> {
    std::array::from_fn(|i| a[i] & b[i])
}

fn each<const L: usize>(word: &Word<L>, mut f: impl FnMut(usize)) {
    for (i, &bits) in word.iter().enumerate() {
        for_each_bit(bits, |b| f(64 * i + b));
    }
}

/// What a watcher sees of all lanes at one step.
#[derive(Debug)]
pub(crate) struct Look<'a, 'b, const L: usize> {
    lanes: &'b Lanes<'a, L>,
    /// Games that are in a position now, those of them that end in it, and those that go on.
    pub(crate) live: Word<L>,
    pub(crate) ended: Word<L>,
    pub(crate) going: Word<L>,
}

impl<const L: usize> Look<'_, '_, L> {
    fn fact(&self, fact: u32) -> Word<L> {
        self.lanes.values[fact as usize + 1]
    }

    /// The legal moves of a role, each as the games it is legal in.
    fn legal(&self, role: usize) -> impl Iterator<Item = Word<L>> + '_ {
        let network = self.lanes.network;
        let range = network.first_move[role] as usize..network.first_move[role + 1] as usize;
        network.legal[range].iter().map(|&w| read(&self.lanes.values, w))
    }

    /// The goal of a role in a game that has ended, if exactly one holds.
    fn goal(&self, role: usize, lane: usize) -> Option<u8> {
        let mut held =
            self.lanes.network.goals[role].iter().filter(|g| bit(&read(&self.lanes.values, g.1), lane));
        match (held.next(), held.next()) {
            (Some(g), None) => Some(g.0),
            _ => None,
        }
    }
}

impl<'a, const L: usize> Lanes<'a, L> {
    /// One game in every lane, each position shown to `see`.
    pub(crate) fn watch(&mut self, longest: u32, mut see: impl FnMut(&Look<'a, '_, L>)) {
        self.reset();
        self.activate(64 * L);
        for _ in 0..=longest {
            let live = self.active;
            if !any(&live) {
                return;
            }
            self.code.terminal.run(&mut self.values);
            let ended = self.lanes_that(read(&self.values, self.network.terminal));
            if any(&ended) {
                self.code.goals.run(&mut self.values);
            }
            let going: Word<L> = std::array::from_fn(|i| live[i] & !ended[i]);
            // The legal part does not touch what the goals were computed to.
            self.code.legal.run(&mut self.values);
            see(&Look { lanes: self, live, ended, going });
            let stuck = self.step(&going);
            let next: Word<L> = std::array::from_fn(|i| going[i] & !stuck[i]);
            self.active = next;
            self.commit(&next, &[0; L]);
        }
    }
}
