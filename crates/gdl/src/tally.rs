//! Counting what playouts come to.

/// What a number of playouts came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Playouts that came to an end.
    pub finished: u64,
    /// Playouts cut at the step limit.
    pub capped: u64,
    /// Playouts in which some role had no move.
    pub stuck: u64,
    /// State changes of all playouts together.
    pub steps: u64,
    /// The squares of the lengths of finished playouts, summed.
    pub length_squares: u64,
    /// The length of the shortest finished playout.
    pub shortest: Option<u32>,
    /// The length of the longest finished playout.
    pub longest: u32,
    /// For each role, how often each goal value 0 to 100 came out.
    pub goals: Vec<Vec<u64>>,
    /// For each role, ends where no goal value held, or several.
    pub goal_undefined: Vec<u64>,
}

impl Tally {
    /// A tally of no playouts.
    pub fn new(roles: usize) -> Self {
        Tally { goals: vec![vec![0; 101]; roles], goal_undefined: vec![0; roles], ..Tally::default() }
    }

    /// Adds what another tally counted.
    pub fn merge(&mut self, other: &Tally) {
        self.finished += other.finished;
        self.capped += other.capped;
        self.stuck += other.stuck;
        self.steps += other.steps;
        self.length_squares += other.length_squares;
        self.shortest = match (self.shortest, other.shortest) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.longest = self.longest.max(other.longest);
        for (mine, theirs) in self.goals.iter_mut().zip(&other.goals) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
        for (mine, theirs) in self.goal_undefined.iter_mut().zip(&other.goal_undefined) {
            *mine += theirs;
        }
    }

    pub(crate) fn add_length(&mut self, length: u32) {
        self.finished += 1;
        self.steps += u64::from(length);
        self.length_squares += u64::from(length) * u64::from(length);
        self.shortest = Some(self.shortest.map_or(length, |s| s.min(length)));
        self.longest = self.longest.max(length);
    }

    /// Mean and standard deviation of a role's goal.
    pub fn goal(&self, role: usize) -> (f64, f64) {
        let counts = self.goals[role].iter().enumerate();
        let (n, sum, squares) = counts.fold((0.0, 0.0, 0.0), |(n, s, q), (v, &c)| {
            let (v, c) = (v as f64, c as f64);
            (n + c, s + v * c, q + v * v * c)
        });
        spread(n, sum, squares)
    }

    /// Mean and standard deviation of the length.
    pub fn length(&self) -> (f64, f64) {
        spread(self.finished as f64, self.steps as f64, self.length_squares as f64)
    }
}

fn spread(n: f64, sum: f64, squares: f64) -> (f64, f64) {
    if n == 0.0 {
        return (0.0, 0.0);
    }
    let mean = sum / n;
    let variance = if n > 1.0 { (squares - n * mean * mean) / (n - 1.0) } else { 0.0 };
    (mean, variance.max(0.0).sqrt())
}
