//! Positions as GNU Backgammon position IDs, plays as people write them.
//!
//! A position is `ID`, `ID:31`, `ID:31:second`, `ID::second` or `ID:open`: the ID as gnubg writes it for the player on
//! roll, then the roll if there is one (`open` before the roll that decides who starts), then `second` if
//! the player on roll is the second.

use ludens_core::{Move, PositionError, Side};

use super::men::{BAR, MEN, Men, OFF, mirrored};
use super::{PASS, Position, Roll, SECOND_STARTS, hops};

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const ID_LENGTH: usize = 14;
const KEY_BITS: usize = 80;

/// The key lists, first for the player not on roll and then for the one on roll, the points 1 to 24 and the bar, as that
/// player counts: a 1 for each man and a 0 after each point. Bits fill bytes from the lowest up; the ten bytes are written in base 64.
fn write_id(on_roll: &Men, waiting: &Men) -> String {
    let mut key = [0u8; KEY_BITS / 8];
    let mut at = 0;
    for men in [waiting, on_roll] {
        for point in 1..=BAR {
            for _ in 0..men.count(point) {
                key[at / 8] |= 1 << (at % 8);
                at += 1;
            }
            at += 1;
        }
    }
    let mut id = String::with_capacity(ID_LENGTH);
    for group in key.chunks(3) {
        let bytes = [group[0], *group.get(1).unwrap_or(&0), *group.get(2).unwrap_or(&0)];
        let word = u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2]);
        for sextet in 0..=group.len() {
            id.push(BASE64[(word >> (18 - 6 * sextet) & 63) as usize] as char);
        }
    }
    id
}

/// The men of (the player on roll, the other), or what is wrong.
fn read_id(id: &str) -> Result<[Men; 2], String> {
    if id.len() != ID_LENGTH {
        return Err(format!("a position ID has {ID_LENGTH} characters, this one {}", id.chars().count()));
    }
    let mut bits = Vec::with_capacity(KEY_BITS + 8);
    let mut bytes = Vec::with_capacity(12);
    for quad in id.as_bytes().chunks(4) {
        let mut word = 0u32;
        for &letter in quad {
            let digit = BASE64.iter().position(|&known| known == letter);
            let digit = digit.ok_or_else(|| format!("{:?} is not a base-64 letter", char::from(letter)))?;
            word = word << 6 | digit as u32;
        }
        word <<= 6 * (4 - quad.len());
        bytes.extend((0..quad.len() - 1).map(|byte| (word >> (16 - 8 * byte)) as u8));
        if quad.len() < 4 && word & ((1 << (8 * (4 - quad.len()))) - 1) != 0 {
            return Err("its last letter carries bits that mean nothing".into());
        }
    }
    for byte in bytes {
        bits.extend((0..8).map(|bit| byte >> bit & 1 == 1));
    }
    let mut sides = [[0u8; 26]; 2];
    let mut bits = bits.into_iter();
    for counts in &mut sides {
        for count in &mut counts[1..=usize::from(BAR)] {
            while bits.next().ok_or("it holds too many men")? {
                *count += 1;
            }
        }
        let on_board: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        if on_board > u32::from(MEN) {
            return Err(format!("a side has {on_board} men"));
        }
        counts[usize::from(OFF)] = MEN - on_board as u8;
    }
    if bits.any(|bit| bit) {
        return Err("something follows the last point".into());
    }
    let [waiting, on_roll] = sides.map(|counts| Men::from_counts(&counts));
    if mirrored(waiting.occupied()) & on_roll.occupied() != 0 {
        return Err("both sides stand on one point".into());
    }
    if waiting.all_off() && on_roll.all_off() {
        return Err("both sides have won".into());
    }
    Ok([on_roll, waiting])
}

pub(super) fn write(state: &Position) -> String {
    let id = write_id(state.men(state.mover), state.men(state.mover.other()));
    let roll = match state.roll {
        Roll::Opening => return format!("{id}:open"),
        Roll::Next => String::new(),
        Roll::Dice([high, low]) => format!("{high}{low}"),
    };
    match (state.mover, roll.as_str()) {
        (Side::First, "") => id,
        (Side::First, roll) => format!("{id}:{roll}"),
        (Side::Second, roll) => format!("{id}:{roll}:second"),
    }
}

pub(super) fn read(text: &str) -> Result<Position, PositionError> {
    read_parts(text.trim()).map_err(|problem| PositionError {
        game: "backgammon".into(),
        text: text.into(),
        problem,
        format: "a GNU position ID, with the roll after a colon: 4HPwATDgc/ABMA:31 \
                 (also ID, ID:open, ID:31:second, ID::second)"
            .into(),
    })
}

fn read_parts(text: &str) -> Result<Position, String> {
    let mut parts = text.split(':');
    let [on_roll, waiting] = read_id(parts.next().unwrap_or_default())?;
    let roll = match parts.next().unwrap_or_default().as_bytes() {
        b"" => Roll::Next,
        b"open" => Roll::Opening,
        &[a @ b'1'..=b'6', b @ b'1'..=b'6'] => Roll::Dice([a - b'0', b - b'0']),
        other => return Err(format!("{:?} is not a roll", String::from_utf8_lossy(other))),
    };
    let (mover, men) = match parts.next() {
        None | Some("first") => (Side::First, [on_roll, waiting]),
        Some("second") if roll != Roll::Opening => (Side::Second, [waiting, on_roll]),
        Some(other) => return Err(format!("{other:?} is not a side that could be on roll")),
    };
    if parts.next().is_some() {
        return Err("there are too many colons".into());
    }
    let state = Position::new(men, mover, roll);
    if state.winner().is_some() && state.roll != Roll::Next {
        return Err("the game is over, nobody rolls".into());
    }
    Ok(state)
}

fn point_name(point: u8) -> String {
    match point {
        BAR => "bar".into(),
        OFF => "off".into(),
        point => point.to_string(),
    }
}

/// One man's way: where he starts, and each landing with whether he hits there.
struct Journey {
    from: u8,
    landings: Vec<(u8, bool)>,
}

impl Journey {
    fn write(&self) -> String {
        let mut text = point_name(self.from);
        for (index, &(to, hit)) in self.landings.iter().enumerate() {
            if hit || index + 1 == self.landings.len() {
                text.push('/');
                text.push_str(&point_name(to));
                if hit {
                    text.push('*');
                }
            }
        }
        text
    }
}

/// `8/5 6/5`, `bar/22*`, `24/18*/13`, `6/off(2)`: a man's hops in one, stations named where he hits.
pub(super) fn play_label(state: &Position, mv: Move, dice: [u8; 2]) -> String {
    if mv == PASS {
        return "pass".into();
    }
    let mut blots = mirrored(state.men(state.mover.other()).single());
    let mut ordered: Vec<(u8, u8)> = hops(mv, dice).collect();
    ordered.sort_by(|a, b| b.cmp(a));
    let mut journeys: Vec<Journey> = Vec::new();
    for (from, to) in ordered {
        let hit = blots >> to & 1 == 1;
        blots &= !(1 << to);
        let goes_on = |journey: &&mut Journey| journey.landings.last().is_some_and(|&(at, _)| at == from);
        match journeys.iter_mut().find(goes_on) {
            Some(journey) => journey.landings.push((to, hit)),
            None => journeys.push(Journey { from, landings: vec![(to, hit)] }),
        }
    }
    let mut words: Vec<(String, usize)> = Vec::new();
    for word in journeys.iter().map(Journey::write) {
        match words.iter_mut().find(|(known, _)| *known == word) {
            Some((_, times)) => *times += 1,
            None => words.push((word, 1)),
        }
    }
    let words: Vec<String> = words
        .into_iter()
        .map(|(word, times)| if times > 1 { format!("{word}({times})") } else { word })
        .collect();
    words.join(" ")
}

pub(super) fn roll_label(state: &Position, mv: Move) -> String {
    let roll = format!("{}{}", mv.0 >> 3 & 7, mv.0 & 7);
    match (state.roll, mv.0 & SECOND_STARTS != 0) {
        (Roll::Opening, true) => format!("{roll} second starts"),
        (Roll::Opening, false) => format!("{roll} first starts"),
        _ => roll,
    }
}

/// The legal play that a person or another program means: men in any order, every hop written out or not,
/// with or without the asterisks.
pub(super) fn find_play(state: &Position, label: &str) -> Option<Move> {
    let mut moves = Vec::new();
    state.plays(&mut moves);
    let label = label.trim().to_ascii_lowercase();
    let dice = state.dice()?;
    if let Some(&mv) = moves.iter().find(|&&mv| play_label(state, mv, dice) == label) {
        return Some(mv);
    }
    let stations = read_stations(&label)?;
    let mut wanted = *state.men(state.mover);
    let mut landings = 0u32;
    for &(from, to) in &stations {
        wanted.shift(from, to);
        landings |= 1 << to;
    }
    let other = state.mover.other();
    moves.retain(|&mv| *state.after(mv).men(state.mover) == wanted);
    let blots = mirrored(state.men(other).single());
    let hits = (landings & blots).count_ones();
    let exact = moves.iter().find(|&&mv| {
        let hit_men = state.after(mv).men(other).bar() - state.men(other).bar();
        u32::from(hit_men) == hits
            && hops(mv, dice).all(|(_, to)| blots & 1 << to == 0 || landings & 1 << to != 0)
    });
    match (exact, moves.as_slice()) {
        (Some(&mv), _) => Some(mv),
        (None, &[mv]) => Some(mv),
        _ => None,
    }
}

/// `24/18*/13 6/5(2)` as the hops (24, 18), (18, 13), (6, 5), (6, 5).
fn read_stations(label: &str) -> Option<Vec<(u8, u8)>> {
    let read_point = |text: &str| match text.trim_end_matches('*') {
        "bar" | "25" => Some(BAR),
        "off" | "0" => Some(OFF),
        number => number.parse().ok().filter(|point| (1..=24).contains(point)),
    };
    let mut stations = Vec::new();
    for word in label.split([' ', ',']).filter(|word| !word.is_empty()) {
        let (way, times) = match word.strip_suffix(')').and_then(|word| word.split_once('(')) {
            Some((way, times)) => (way, times.parse().ok().filter(|times| (1..=4).contains(times))?),
            None => (word, 1),
        };
        let points: Vec<u8> = way.split('/').map(read_point).collect::<Option<_>>()?;
        if points.len() < 2 || points.windows(2).any(|hop| hop[0] <= hop[1]) {
            return None;
        }
        for _ in 0..times {
            stations.extend(points.windows(2).map(|hop| (hop[0], hop[1])));
        }
    }
    Some(stations)
}
