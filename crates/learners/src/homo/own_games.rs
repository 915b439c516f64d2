//! Its own games: endings first, then from ever earlier, at last from the start; siblings against each other. What a game teaches: the positions
//! that were played, by what the search says of the next one and by how it went on; and positions inside the searches.

use ludens_core::{Budget, Game, Meter, Move, Rng, Turn};

use super::active::Active;
use super::eye::{Seen, Sight};
use super::inclination::{Choice, Inclination};
use super::judgement::{By, Example, Judge, chance};
use super::look::{Tools, Tree};
use super::settings::Settings;
use super::watching::{MOST_PLIES, random_game, won};

/// Positions inside one search that it learns from at most, and how often the search must have gone through them.
const FROM_A_TREE: usize = 4;
const WELL_LOOKED_AT: u32 = 4;

/// One decision of a game.
struct Decision {
    /// The first player's chance by the search.
    value: f32,
    /// The move was drawn, not chosen.
    drawn: bool,
    /// The position after it, where it is judged.
    after: Option<Seen>,
}

/// A game to learn from.
pub struct Played {
    /// Positions with the first player's chance.
    pub examples: Vec<Example>,
    /// What was looked at in them.
    pub choices: Vec<Choice>,
    /// The first player's points.
    pub points: f32,
}

/// Where a game begins: by `progress` from 0 (near the end) to 1 (the start).
fn beginning<G: Game>(
    game: &G,
    settings: &Settings,
    dice: bool,
    progress: f32,
    rng: &mut Rng,
    meter: &mut Meter,
) -> (G::State, u32) {
    // Dice see to it that games differ, and random games with dice lead nowhere.
    if progress >= settings.endings || dice {
        return (game.start(), rng.below(settings.opening + 1));
    }
    let mut states = random_game(game, rng, meter).states;
    let far = progress / settings.endings * states.len() as f32;
    let back = 1 + rng.below(2 + far as u32) as usize;
    let at = states.len().saturating_sub(back);
    (if states.is_empty() { game.start() } else { states.swap_remove(at) }, 0)
}

/// A game while it is played.
struct Table<'a, G: Game> {
    game: &'a G,
    tools: Tools<'a>,
    round: u32,
    tree: Tree<G::State>,
    /// For games in its head.
    head: Tree<G::State>,
    active: Active,
    sight: Sight,
    moves: Vec<Move>,
    decisions: Vec<Decision>,
    examples: Vec<Example>,
    choices: Vec<Choice>,
}

/// Plays one game; `judges` are those of the first and of the second player.
pub fn play<G: Game>(
    game: &G,
    tools: Tools,
    (judges, inclination): ([&Judge; 2], &mut Inclination),
    (progress, round): (f32, u32),
    rng: &mut Rng,
    meter: &mut Meter,
) -> Played {
    let (mut state, opening) = beginning(game, tools.settings, tools.eye.dice, progress, rng, meter);
    let mut outcomes = Vec::new();
    let mut this = Table {
        game,
        tools,
        round,
        tree: Tree::default(),
        head: Tree::default(),
        active: Active::default(),
        sight: Sight::default(),
        moves: Vec::new(),
        decisions: Vec::new(),
        examples: Vec::new(),
        choices: Vec::new(),
    };
    let mut end = None;
    for ply in 0..game.max_plies().unwrap_or(MOST_PLIES) + 1 {
        let (mv, decided) = match game.turn(&state) {
            Turn::Over(score) => {
                end = Some(won(score));
                break;
            }
            Turn::Chance => {
                game.chance(&state, &mut outcomes);
                (rng.outcome(&outcomes), false)
            }
            Turn::Player(side) => {
                let minds = (judges[side.index()], &mut *inclination);
                (this.decide(&state, minds, ply < opening, rng, meter), true)
            }
        };
        meter.add_states(1);
        game.apply(&mut state, mv);
        if decided {
            this.see(&state);
        }
    }
    this.finish(end)
}

impl<G: Game> Table<'_, G> {
    /// Looks ahead, keeps what that teaches, and takes a move.
    fn decide(
        &mut self,
        state: &G::State,
        minds: (&Judge, &mut Inclination),
        opening: bool,
        rng: &mut Rng,
        meter: &mut Meter,
    ) -> Move {
        let settings = self.tools.settings;
        let mut own = meter.part(Budget::States(settings.states));
        self.tree.search(self.game, self.tools, (minds.0, minds.1), state, &mut own);
        if self.tools.eye.dice && settings.imagines {
            self.imagine(minds, rng, &mut own);
        }
        meter.add_states(own.cost().states);
        self.game.moves(state, &mut self.moves);
        // Dice see to it that games differ.
        let drawn = !self.tools.eye.dice && (opening || rng.chance(settings.explore));
        let best = self.tree.best(0).and_then(|child| self.tree.move_to(0, child)).unwrap_or(self.moves[0]);
        if settings.inclines && self.moves.len() > 1 {
            let shares = self.tree.shares();
            let mut choice = Choice { seen: Seen::default(), ends: Vec::new(), shares, round: self.round };
            self.tools.eye.look(self.game, state, &self.moves, &mut self.sight, &mut choice.seen);
            choice.ends.clone_from(&self.sight.ends);
            self.choices.push(choice);
        }
        let mv = if drawn { self.moves[rng.below(self.moves.len() as u32) as usize] } else { best };
        if settings.trees {
            from_tree(self.game, self.tools, &self.tree, self.round, &mut self.sight, &mut self.examples);
        }
        let value = self.tree.chance(0);
        self.decisions.push(Decision { value, drawn: drawn && mv != best, after: None });
        mv
    }

    /// How the game would go on after a drawn move, as far as the states reach: in its head it throws the dice and moves for both.
    fn imagine(&mut self, (judge, inclination): (&Judge, &mut Inclination), rng: &mut Rng, own: &mut Meter) {
        let count = self.tree.nodes.len() - 1;
        if count < self.tree.nodes[0].branches.len() || count < 2 {
            return;
        }
        let mut state = self.tree.nodes[1 + rng.below(count as u32) as usize].state.clone();
        let (mut line, mut outcomes) = (Vec::new(), Vec::new());
        let mut head = std::mem::take(&mut self.head);
        let end = loop {
            match self.game.turn(&state) {
                Turn::Over(score) => break Some(won(score)),
                Turn::Chance => {
                    line.push(self.look(&state));
                    if !own.visit() {
                        break None;
                    }
                    self.game.chance(&state, &mut outcomes);
                    self.game.apply(&mut state, rng.outcome(&outcomes));
                }
                Turn::Player(_) => {
                    head.search(self.game, self.tools, (judge, &mut *inclination), &state, own);
                    let best = head.best(0).filter(|_| head.nodes.len() > head.nodes[0].branches.len());
                    let Some(best) = best else { break None };
                    state = head.nodes[best].state.clone();
                }
            }
        };
        self.head = head;
        let mut after: Option<(f32, f32)> = None;
        for seen in line.into_iter().rev() {
            let value = chance(self.tools.judge(judge, &seen, &mut self.active));
            let (target, by) = match (after, end) {
                (Some((value, target)), _) => {
                    (value + self.tools.settings.lambda_anew * (target - value), By::Before)
                }
                (None, Some(end)) => (end, By::Kept),
                (None, None) => (value, By::Judged),
            };
            after = Some((value, target));
            self.examples.push(Example { seen, chance: target, round: self.round, by });
        }
    }

    /// A position as it is seen.
    fn look(&mut self, state: &G::State) -> Seen {
        match self.game.turn(state) {
            Turn::Player(_) => self.game.moves(state, &mut self.moves),
            _ => self.moves.clear(),
        }
        let mut seen = Seen::default();
        self.tools.eye.look(self.game, state, &self.moves, &mut self.sight, &mut seen);
        seen
    }

    /// Keeps the position after a decision, where it is judged.
    fn see(&mut self, state: &G::State) {
        if matches!(self.game.turn(state), Turn::Over(_)) {
            return;
        }
        let seen = self.look(state);
        if let Some(last) = self.decisions.last_mut() {
            last.after = Some(seen);
        }
    }

    /// What the game teaches, from its end backwards; `end` is the first player's result.
    fn finish(mut self, end: Option<f32>) -> Played {
        // A game that was cut teaches what the last search thought of it.
        let end = end.unwrap_or_else(|| self.decisions.last().map_or(0.5, |decision| decision.value));
        let (mut target, mut by) = (end, By::Kept);
        for at in (0..self.decisions.len()).rev() {
            if let Some(next) = self.decisions.get(at + 1) {
                let share = if next.drawn { 0.0 } else { self.tools.settings.lambda };
                target = share * target + (1.0 - share) * next.value;
            }
            if let Some(seen) = self.decisions[at].after.take() {
                self.examples.push(Example { seen, chance: target, round: self.round, by });
                by = By::Before;
            }
        }
        Played { examples: self.examples, choices: self.choices, points: end }
    }
}

/// Positions that the search went through often, by what it says of them.
fn from_tree<G: Game>(
    game: &G,
    tools: Tools,
    tree: &Tree<G::State>,
    round: u32,
    sight: &mut Sight,
    examples: &mut Vec<Example>,
) {
    let mut inside: Vec<usize> =
        (1..tree.nodes.len()).filter(|node| tree.nodes[*node].visits >= WELL_LOOKED_AT).collect();
    inside.sort_by(|a, b| tree.nodes[*b].visits.cmp(&tree.nodes[*a].visits).then(a.cmp(b)));
    let mut moves = Vec::new();
    for node in inside.into_iter().take(FROM_A_TREE) {
        let state = &tree.nodes[node].state;
        game.moves(state, &mut moves);
        let mut example = Example { seen: Seen::default(), chance: tree.chance(node), round, by: By::Kept };
        tools.eye.look(game, state, &moves, sight, &mut example.seen);
        examples.push(example);
    }
}
