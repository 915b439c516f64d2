//! What a square looks like to a person: the lines through it, the threats, and where it lies.
//!
//! ```text
//!      0  1  2  3  4  5  6  7  8      Squares row by row, nine a row. 45 lines of four: 24 along the rows,
//!      9 10 11 12 13 14 15 16 17      9 up the columns, 12 diagonals.
//!     18 19 20 21 22 23 24 25 26
//!     27 28 29 30 31 32 33 34 35
//! ```

use std::sync::LazyLock;

use super::choice::{Choice, Square};
use super::records::Record;

const WIDTH: u32 = 9;
const HEIGHT: u32 = 4;
pub const SQUARES: u32 = WIDTH * HEIGHT;

/// A family of patterns: `{}` in its words is filled by each kind.
struct Family {
    words: &'static str,
    kinds: &'static [&'static str],
}

/// Which family; the numbers are the places in [`FAMILIES`].
#[derive(Clone, Copy)]
enum About {
    EmptyLine,
    OwnLine,
    OwnPair,
    OwnSingle,
    OtherLine,
    OtherPair,
    OtherSingle,
    Dead,
    Decides,
    Threat,
    Place,
    Half,
    Opening,
    FromLast,
    FromBefore,
    Neighbours,
}

const HELD: &[&str] = &[
    "one stone, along the row",
    "one stone, up the column",
    "one stone, on a diagonal",
    "two stones, along the row",
    "two stones, up the column",
    "two stones, on a diagonal",
    "three stones, along the row",
    "three stones, up the column",
    "three stones, on a diagonal",
];
const TOUCHING: &[&str] = &["touching neither", "touching one", "between them"];
const AWAY: &[&str] = &["next to it", "two away", "three away"];
const PLACES: &[&str] = &[
    "middle rows, centre column",
    "middle rows, 1 from the centre",
    "middle rows, 2 from the centre",
    "middle rows, 3 from the centre",
    "middle rows, outermost",
    "edge rows, centre column",
    "edge rows, 1 from the centre",
    "edge rows, 2 from the centre",
    "edge rows, 3 from the centre",
    "edge rows, outermost",
];
const DISTANCES: &[&str] = &["1", "2", "3", "4", "5 or more", "same row", "same column", "same diagonal"];

const FAMILIES: [Family; 16] = [
    Family { words: "an empty line, {}", kinds: &["along the row", "up the column", "on a diagonal"] },
    Family { words: "a line free for me: {}", kinds: HELD },
    Family { words: "third stone of a free line, {}", kinds: TOUCHING },
    Family { words: "second stone of a free line, {}", kinds: AWAY },
    Family { words: "a line free for the other: {}", kinds: HELD },
    Family { words: "breaks a pair of the other, {}", kinds: TOUCHING },
    Family { words: "breaks a line with one of the other's, {}", kinds: AWAY },
    Family { words: "a line that nobody can fill, {}", kinds: &["with room", "with this square its last"] },
    Family { words: "{}", kinds: &["wins", "stops a win", "stops a win, though it could win itself"] },
    Family {
        words: "{}",
        kinds: &[
            "makes two threats at once",
            "takes the square where the other would make two threats",
            "threatens to win",
            "threatens to win, and two threats at once come next",
            "takes away every double threat of the other",
            "prepares two threats at once",
        ],
    },
    Family { words: "lies in {}", kinds: PLACES },
    // People lean to a side, and not all to the same.
    Family { words: "lies in the {}", kinds: &["left half", "right half", "upper half"] },
    Family { words: "first stones: {}", kinds: PLACES },
    Family { words: "from the other's last stone: {}", kinds: DISTANCES },
    Family { words: "from one's own last stone: {}", kinds: DISTANCES },
    Family {
        words: "around it: {}",
        kinds: &[
            "own stones",
            "the other's stones",
            "no own stone",
            "no stone of the other's",
            "nothing at all",
        ],
    },
];

/// How many patterns there are.
pub const PATTERNS: usize = first_of(FAMILIES.len());

const fn first_of(family: usize) -> usize {
    let (mut sum, mut index) = (0, 0);
    while index < family {
        sum += FAMILIES[index].kinds.len();
        index += 1;
    }
    sum
}

/// A pattern in words.
pub fn describe_pattern(pattern: usize) -> String {
    let family = (0..FAMILIES.len()).rfind(|&family| first_of(family) <= pattern).unwrap_or(0);
    let kinds = FAMILIES[family].kinds;
    FAMILIES[family].words.replace("{}", kinds.get(pattern - first_of(family)).copied().unwrap_or("?"))
}

struct Line {
    squares: [u32; 4],
    mask: u64,
    /// Along the row, up the column, diagonal.
    direction: usize,
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for (direction, (right, down)) in [(0, (1, 0)), (1, (0, 1)), (2, (1, 1)), (2, (1, -1))] {
        for start in 0..SQUARES as i32 {
            let (row, column) = (start / WIDTH as i32, start % WIDTH as i32);
            let (end_row, end_column) = (row + 3 * down, column + 3 * right);
            if (0..HEIGHT as i32).contains(&end_row) && end_column < WIDTH as i32 {
                let squares = [0, 1, 2, 3].map(|step| (start + step * (down * WIDTH as i32 + right)) as u32);
                let mask = squares.iter().fold(0, |mask, square| mask | 1 << square);
                lines.push(Line { squares, mask, direction });
            }
        }
    }
    lines
});

/// The squares that complete a line of `own`.
fn wins(own: u64, other: u64) -> u64 {
    let full = |line: &&Line| (line.mask & own).count_ones() == 3 && line.mask & other == 0;
    LINES.iter().filter(full).fold(0, |squares, line| squares | line.mask & !own)
}

/// The squares after which `own` would have two ways to win.
fn forks(own: u64, other: u64) -> u64 {
    let twice = |square: &u64| (own | other) & square == 0 && wins(own | square, other).count_ones() >= 2;
    (0..SQUARES).map(|square| 1u64 << square).filter(twice).sum()
}

/// The choice a record is: every empty square with its patterns.
pub fn choice(record: &Record) -> Choice {
    let view = View {
        record,
        wins: wins(record.own, record.other),
        losses: wins(record.other, record.own),
        forks: forks(record.own, record.other),
        other_forks: forks(record.other, record.own),
    };
    let empty: Vec<u32> =
        (0..SQUARES).filter(|square| (record.own | record.other) >> square & 1 == 0).collect();
    Choice {
        taken: empty.iter().position(|&square| square == record.square).unwrap_or(0),
        squares: empty.into_iter().map(|square| view.patterns(square)).collect(),
        person: record.person,
        fold: record.fold,
    }
}

/// A position with what is the same for all squares.
struct View<'a> {
    record: &'a Record,
    wins: u64,
    losses: u64,
    forks: u64,
    other_forks: u64,
}

impl View<'_> {
    fn patterns(&self, square: u32) -> Square {
        let mut seen = Seen::default();
        for line in LINES.iter().filter(|line| line.mask >> square & 1 == 1) {
            self.line(line, square, &mut seen);
        }
        self.threats(square, &mut seen);
        self.place(square, &mut seen);
        seen.0.sort_unstable_by_key(|&(pattern, _)| pattern);
        seen.0
    }

    fn line(&self, line: &Line, square: u32, seen: &mut Seen) {
        let Record { own, other, .. } = *self.record;
        let [held, others] = [own, other].map(|stones| (line.mask & stones).count_ones() as usize);
        let place = line.squares.iter().position(|&found| found == square).unwrap_or(0);
        let stones = |of: u64| (0..4).filter(move |&index| of >> line.squares[index] & 1 == 1);
        let touching = |of: u64| stones(of).filter(|index| index.abs_diff(place) == 1).count();
        let away = |of: u64| stones(of).map(|index| index.abs_diff(place)).sum::<usize>() - 1;
        let (about, of, count) = match (held, others) {
            (0, 0) => return seen.add(About::EmptyLine, line.direction),
            (held, 0) => ([About::OwnLine, About::OwnSingle, About::OwnPair], own, held),
            (0, others) => ([About::OtherLine, About::OtherSingle, About::OtherPair], other, others),
            _ => return seen.add(About::Dead, usize::from(held + others == 3)),
        };
        seen.add(about[0], 3 * (count - 1) + line.direction);
        match count {
            1 => seen.add(about[1], away(of)),
            2 => seen.add(about[2], touching(of)),
            _ => {}
        }
    }

    fn threats(&self, square: u32, seen: &mut Seen) {
        let bit = 1u64 << square;
        let Record { own, other, .. } = *self.record;
        let holds = |squares: u64| squares & bit != 0;
        if holds(self.wins) {
            seen.add(About::Decides, 0);
        }
        if holds(self.losses) {
            seen.add(About::Decides, if self.wins == 0 { 1 } else { 2 });
        }
        // Who can win or must not lose at once does not think of anything further.
        if self.wins | self.losses != 0 {
            return;
        }
        let threats = wins(own | bit, other);
        if holds(self.forks) {
            seen.add(About::Threat, 0);
        }
        if holds(self.other_forks) {
            seen.add(About::Threat, 1);
        }
        if threats.count_ones() == 1 {
            seen.add(About::Threat, 2);
            let answered = other | threats;
            if wins(answered, own | bit) == 0 && forks(own | bit, answered) != 0 {
                seen.add(About::Threat, 3);
            }
        } else if self.other_forks != 0 && forks(other, own | bit) == 0 {
            seen.add(About::Threat, 4);
        }
        if threats == 0 && self.forks == 0 && forks(own | bit, other) != 0 {
            seen.add(About::Threat, 5);
        }
    }

    fn place(&self, square: u32, seen: &mut Seen) {
        let (row, column) = (square / WIDTH, square % WIDTH);
        let from_centre = column.abs_diff(WIDTH / 2) as usize;
        let place = if (1..HEIGHT - 1).contains(&row) { from_centre } else { 5 + from_centre };
        seen.add(About::Place, place);
        let half = [(0, column < WIDTH / 2), (1, column > WIDTH / 2), (2, row < HEIGHT / 2)];
        seen.add_all(About::Half, half);
        if self.record.ply <= 1 {
            seen.add(About::Opening, place);
        }
        for (about, stone) in [(About::FromLast, self.record.last), (About::FromBefore, self.record.before)] {
            let Some(stone) = stone else { continue };
            let (down, right) = ((stone / WIDTH).abs_diff(row), (stone % WIDTH).abs_diff(column));
            seen.add(about, down.max(right).clamp(1, 5) as usize - 1);
            seen.add_all(about, [(5, down == 0), (6, right == 0), (7, down == right)]);
        }
        let around = around(row, column);
        let [own, other] =
            [self.record.own, self.record.other].map(|stones| (stones & around).count_ones() as f32);
        seen.weigh(About::Neighbours, 0, own);
        seen.weigh(About::Neighbours, 1, other);
        seen.add_all(About::Neighbours, [(2, own == 0.0), (3, other == 0.0), (4, own + other == 0.0)]);
    }
}

/// The squares next to one, diagonals included, and itself.
fn around(row: u32, column: u32) -> u64 {
    let rows = row.saturating_sub(1)..=(row + 1).min(HEIGHT - 1);
    let columns = column.saturating_sub(1)..=(column + 1).min(WIDTH - 1);
    rows.flat_map(|row| columns.clone().map(move |column| 1u64 << (row * WIDTH + column))).sum()
}

/// The patterns of a square, each once, with how often.
#[derive(Default)]
struct Seen(Square);

impl Seen {
    fn add(&mut self, about: About, kind: usize) {
        self.weigh(about, kind, 1.0);
    }

    /// Those kinds that hold.
    fn add_all<const N: usize>(&mut self, about: About, kinds: [(usize, bool); N]) {
        for (kind, _) in kinds.into_iter().filter(|&(_, holds)| holds) {
            self.add(about, kind);
        }
    }

    fn weigh(&mut self, about: About, kind: usize, times: f32) {
        let pattern = first_of(about as usize) + kind;
        match self.0.iter_mut().find(|(found, _)| *found == pattern) {
            Some((_, sum)) => *sum += times,
            None => self.0.push((pattern, times)),
        }
    }
}
