//! How near a reading comes to what the paper shows of its player besides its wins: one distance for each, 0 where it is the same.

use ludens_core::math;

use super::published::BLOCKS;
use super::*;

/// The columns of a fingerprint, and what each distance is.
pub(super) const COLUMNS: [&str; 5] = ["table 2", "figure 2", "figure 3", "figure 4", "figure 5"];
pub(super) const DISTANCES: &str = "Distances from the paper, 0 where it is met. Table 2: root mean square difference of the log odds of its \
     eleven blocks. Figure 2: how far the share of the final level in games 21–40 is from one half and in games 101–120 from 85 %, \
     on average. Figure 3: share of nine sentences about the odds of attack that fail (each step from point 6 to 13 rises, 13 is above 24, and above the mean \
     of 1 to 5). Figure 4: how far the share of the surface that was visited is from one half. Figure 5: share of its cells above 1.";

/// The distances of a reading's runs.
pub(super) fn distances(runs: &[Run]) -> [Cell; 5] {
    let each = |distance: &dyn Fn(&Run) -> f64| {
        Cell::mean(&runs.iter().map(distance).collect::<Vec<f64>>()).decimals(2)
    };
    let surface: Vec<f64> = means(runs, |run| run.expose.iter().flatten()).into_iter().flatten().collect();
    let above = surface.iter().filter(|odds| **odds > 1.0).count();
    let exact = |value: f64| Cell::exact(value).decimals(2);
    [
        each(&|run| blocks(&run.paper_blocks)),
        exact(curve(runs)),
        exact(attack(&means(runs, |run| run.attack.iter()))),
        each(&|run| (visited(&run.experience) - 0.5).abs()),
        exact(above as f64 / surface.len().max(1) as f64),
    ]
}

/// The mean over the runs that know it, place by place.
fn means<'a, I: Iterator<Item = &'a Option<f64>>>(
    runs: &'a [Run],
    values: impl Fn(&'a Run) -> I,
) -> Vec<Option<f64>> {
    let all: Vec<Vec<Option<f64>>> = runs.iter().map(|run| values(run).copied().collect()).collect();
    let places = all.first().map_or(0, Vec::len);
    let at = |place: usize| -> Option<f64> {
        let known: Vec<f64> = all.iter().filter_map(|run| run[place]).collect();
        (!known.is_empty()).then(|| mean(&known).mean)
    };
    (0..places).map(at).collect()
}

/// What was never met has odds of 1.
fn blocks(odds: &[Option<f64>]) -> f64 {
    let square = |(ours, (_, paper)): (&Option<f64>, &([u8; 3], f64))| {
        math::square(math::ln(ours.unwrap_or(1.0)) - math::ln(*paper))
    };
    let sum: f64 = odds.iter().zip(&BLOCKS).map(square).sum();
    (sum / BLOCKS.len() as f64).sqrt()
}

fn curve(runs: &[Run]) -> f64 {
    let level = mean(&runs.iter().map(|run| run.test.win_share()).collect::<Vec<f64>>()).mean;
    // Who never wins has no curve.
    if level <= 0.0 {
        return 1.0;
    }
    let part = |bin: usize| {
        let won = runs.iter().map(|run| f64::from(run.curve.get(bin).copied().unwrap_or(0)) / BIN as f64);
        won.sum::<f64>() / runs.len().max(1) as f64 / level
    };
    ((part(1) - 0.5).abs() + (part(5) - 0.85).abs()) / 2.0
}

/// Of points 1 to 24.
fn attack(odds: &[Option<f64>]) -> f64 {
    let at = |point: usize| odds.get(point - 1).copied().flatten().unwrap_or(1.0);
    let early = (1..=5).map(at).sum::<f64>() / 5.0;
    let mut said: Vec<bool> = (6..13).map(|point| at(point + 1) > at(point)).collect();
    said.extend([at(13) > at(24), at(13) > early]);
    said.iter().filter(|true_here| !**true_here).count() as f64 / said.len() as f64
}

fn visited(experience: &[Vec<f64>]) -> f64 {
    let cells: Vec<f64> = experience.iter().flatten().copied().collect();
    cells.iter().filter(|count| **count > 0.0).count() as f64 / cells.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_own_player_has_distance_nought() {
        assert_eq!(blocks(&BLOCKS.map(|(_, odds)| Some(odds))), 0.0);
        assert!((blocks(&BLOCKS.map(|(_, odds)| Some(odds * math::exp(1.0)))) - 1.0).abs() < 1e-12);
        let peak = |point: usize| Some(1.5 - 0.05 * (point as f64 - 13.0).abs());
        assert_eq!(attack(&(1..=24).map(peak).collect::<Vec<_>>()), 0.0);
        assert_eq!(attack(&[None; 24]), 1.0);
        let half = vec![vec![1.0, 0.0]; 3];
        assert_eq!(visited(&half), 0.5);
    }
}
