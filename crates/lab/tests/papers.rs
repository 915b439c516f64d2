//! Every paper's experiment at a size of seconds: it runs, it repeats, and its report can be made.

use std::fs;

use ludens_core::Games;
use ludens_lab::{Options, PaperResult, Plan, Scale, papers, reproduce};
use ludens_learners::standard::{Standard, zoo};

#[test]
fn all_papers_give_the_same_bytes_with_one_thread_and_with_two() {
    let games = Games::new(Standard::new().close(), zoo());
    for experiment in papers::all() {
        let id = experiment.about().id;
        let plan = Plan::new(Scale::Smoke, 1);
        let [one, two] = [1, 2].map(|threads| {
            let folder = tempfile::tempdir().unwrap();
            let options = Options { threads: Some(threads), ..Options::default() };
            let done = reproduce(&*experiment, &games, &plan, folder.path(), &options, &|_| {})
                .unwrap_or_else(|error| panic!("{id}: {error}"));
            let result = done.result.unwrap_or_else(|| panic!("{id}: no result"));
            assert!(!result.tables.is_empty(), "{id} has no table");
            assert!(
                !result.deviations.is_empty(),
                "{id} lists no deviations: say at least that there are none"
            );
            for table in &result.tables {
                let full = table.rows.iter().all(|row| row.cells.len() == table.columns.len());
                assert!(full, "{id}: table {} has rows of another length than its head", table.id);
            }
            let made = result.made.as_ref().expect("a result says by what it was made");
            assert!(!made.cpu_seconds.is_empty(), "{id}: no CPU time");
            // What the machine adds is the only part that may differ.
            let bare = serde_json::to_vec(&PaperResult { made: None, ..result }).unwrap();
            let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
            [bare, read("report.html"), read("report.md")]
        });
        assert!(one == two, "{id}: one thread and two give different results");
        assert!(!String::from_utf8_lossy(&one[0]).contains("NaN"), "{id}");
    }
}
