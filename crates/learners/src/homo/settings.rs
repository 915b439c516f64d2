//! What can be set. Every part of the player is a switch, so that each can be taken away.

use ludens_core::{Words, settings};

settings! {
    /// The defaults serve every game; none is made for one.
    pub struct Settings {
        /// Games of a training, the watched ones among them.
        pub games: u32 = 1_000, 1..=1_000_000;
        /// Random games that it watches before it plays.
        pub watched: u32 = 100, 1..=100_000;
        /// Games a step.
        pub round: u32 = 10, 1..=100_000;
        /// States a move while it learns.
        pub states: u64 = 200, 1..=100_000_000;
        /// States a move in play, where no other budget is given; 0 looks at the positions after its moves and no further.
        pub looks: u64 = 300, 0..=100_000_000;
        /// P1: the share of a training in which games begin inside a random game, at first near its end, then ever earlier.
        pub endings: f32 = 0.4, 0.0..=1.0;
        /// P3: it looks at runs and blocks of cells of its own beside the sets of cells that the rules make decisive.
        pub own: bool = true, Words("true or false");
        /// P4: what a chunk looks like counts wherever it lies, beside what it is worth where it lies.
        pub general: bool = true, Words("true or false");
        /// P5: contexts; without them it sees single cells only.
        pub contexts: bool = true, Words("true or false");
        /// It sees which cells would complete a decisive set, and for whom.
        pub ripe: bool = true, Words("true or false");
        /// It sees what is decided before anything is moved, where watching taught that completing a decisive set wins.
        pub foresees: bool = true, Words("true or false");
        /// P6: pairs and triples of chunks that it may make of its own where its judgement errs.
        pub pairs: u32 = 300, 0..=100_000;
        /// Where dice are thrown, and what it thinks is not corrected by looking ahead, it looks at everything together too, by a hidden layer.
        pub whole: bool = true, Words("true or false");
        /// How far an error moves the view of the whole.
        pub whole_rate: f32 = 0.05, 1e-6..=10.0;
        /// P7: chunks share their weight under the symmetries of the board and of the sides, as far as play confirms them.
        pub symmetry: bool = true, Words("true or false");
        /// Siblings that play each other and publish what works; all judge together.
        pub siblings: usize = 1, 1..=8;
        /// It learns from the positions inside its searches too, not only from those that were played.
        pub trees: bool = true, Words("true or false");
        /// The share of the outcome, against the search, in a target one step back (λ of TD(λ)).
        pub lambda: f32 = 0.7, 0.0..=1.0;
        /// How far an error moves a weight.
        pub rate: f32 = 0.05, 1e-6..=10.0;
        /// How strongly weights are drawn to where they began.
        pub pull: f32 = 1e-5, 0.0..=1.0;
        /// Times it goes through what it remembers after every round.
        pub epochs: u32 = 2, 1..=1_000;
        /// Where dice are thrown, what a position is worth is thought anew before every round, by what the judgement says now of what came after it.
        pub rethinks: bool = true, Words("true or false");
        /// λ where positions are thought of anew: what the judgement says is never old, so it counts for more.
        pub lambda_anew: f32 = 0.2, 0.0..=1.0;
        /// Where dice are thrown, it spends what is left of the states of a move on how the game would go on after another move.
        pub imagines: bool = true, Words("true or false");
        /// Rounds after which a position is forgotten.
        pub remembers: u32 = 30, 1..=100_000;
        /// Of a chunk that was not met for as many rounds, how much of its weight stays every round.
        pub fades: f32 = 0.9, 0.0..=1.0;
        /// The share of drawn moves in its own games.
        pub explore: f64 = 0.1, 0.0..=1.0;
        /// How many of the first moves of a game are drawn at most.
        pub opening: u32 = 6, 0..=1_000;
        /// Its first inclination says where it looks first; else all moves are alike before they are looked at.
        pub inclines: bool = true, Words("true or false");
        /// How much the first inclination counts where it looks no further than its own moves.
        pub heeds: f32 = 0.5, 0.0..=100.0;
        /// Of the judgement of the round before, how much stays.
        pub steady: f32 = 0.5, 0.0..=0.99;
        /// How much a search tries what it has tried little and inclines to.
        pub curious: f32 = 1.0, 0.0..=100.0;
        /// How much less than its position a move is thought of that was not looked at, in log odds.
        pub doubts: f32 = 0.5, 0.0..=100.0;
        /// A move ahead by so much (in log odds) is taken without further looking.
        pub sure: f32 = 6.0, 0.0..=1_000.0;
        /// A model of this learner, of any game: its general chunks are where this one begins.
        #[left_out(usual)]
        pub from: String = String::new(), Words("a file");
        /// The run of random numbers that its watched games come from.
        pub seed: u64 = 0, 0..=u64::MAX;
    }
}
