//! The slope of figure 5 for any settings, without the rest of the experiment: `coevolution_slope NAME:SETTINGS SEED…`, where the name is
//! `coevolution` or `coevolution-improved`. Prints the published
//! players, slope, t, the mean points of each quarter of them, how much one player's points resemble the next one's, and what the first and the last
//! five score against alpha-beta of equal depth with the hand heuristic (200 games each).
use std::ops::Range;

use ludens_core::{MindError, Spec, Stop};
use ludens_games::connect_four::ConnectFour;
use ludens_lab::stats::regression;
use ludens_learners::beyond::coevolution_improved;
use ludens_learners::coevolution::connect_four::Spent;
use ludens_learners::coevolution::measure::{against, all_play_all};
use ludens_learners::coevolution::{Coevolution, Player, Settings};
use ludens_search::hand::Lines;
use ludens_search::{AlphaBeta, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let text = args.next().unwrap_or_else(|| "coevolution".into());
    for seed in args {
        let mut spec: Spec = text.parse()?;
        let (name, base) = if spec.name == coevolution_improved::NAME {
            (coevolution_improved::NAME, Settings::improved())
        } else {
            ("coevolution", Settings::default())
        };
        let settings = Settings::read(&mut spec, &base)?;
        spec.finish(&[])?;
        let mut learner = Coevolution::new(&ConnectFour, name, settings.clone());
        learner.begin(seed.parse()?);
        while learner.generation < settings.generations() {
            let _ = learner.advance(&ConnectFour, &Stop::default());
        }
        let players: Vec<&Player> = learner.pool.players.iter().map(|published| &published.player).collect();
        println!("{text} seed {seed}: {}", slope(&settings, &players)?);
    }
    Ok(())
}

fn slope(settings: &Settings, players: &[&Player]) -> Result<String, MindError> {
    let points = all_play_all(&ConnectFour, players, settings.depth, &mut Spent::default());
    let n = points.len();
    let order: Vec<(f64, f64)> = points.iter().zip(0..).map(|(&y, x)| (f64::from(x), f64::from(y))).collect();
    let Some(line) = regression(&order) else { return Ok(format!("{n} players, no line")) };
    let quarters = [0, 1, 2, 3].map(|quarter| {
        let part = &points[quarter * n / 4..(quarter + 1) * n / 4];
        part.iter().sum::<i32>() / part.len().max(1) as i32
    });
    let rest: Vec<f64> = order.iter().map(|(x, y)| y - line.intercept - line.slope * x).collect();
    let next: f64 = rest.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let likeness = next / rest.iter().map(|rest| rest * rest).sum::<f64>();
    let lines = Lines::of(&ConnectFour).ok_or_else(|| MindError::Other("Connect Four has lines".into()))?;
    let hand = |range: Range<usize>| -> Result<f64, MindError> {
        let mut sum = 0.0;
        for player in &players[range.clone()] {
            let mut mind = AlphaBeta::new(lines.clone(), Limits::depth(settings.depth));
            sum += against(player, settings.depth, &mut mind, (100, 6), 2002)?.points();
        }
        Ok(sum / range.len() as f64)
    };
    let (first, last) = (hand(0..n.min(5))?, hand(n.saturating_sub(5)..n)?);
    Ok(format!(
        "{n} players, slope {:.3}, t {:.2}, quarters {quarters:?}, likeness {likeness:.2}, against the hand heuristic \
         {first:.3} → {last:.3}",
        line.slope, line.t
    ))
}
