//! One unit of each committed result, run again: the same outcome as then.

use std::path::Path;

use ludens_catalogue::{Catalogue, House};
use ludens_lab::{Options, PaperResult, Part, Sample, reproduce};

#[test]
fn a_unit_of_each_committed_result_comes_out_the_same() {
    let house = House::from(Catalogue::standard());
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let folders = std::fs::read_dir(&results).unwrap().map(|entry| entry.unwrap().path());
    let mut files = Vec::new();
    for folder in folders {
        // A result of the published size must have its unit; smaller ones may.
        let paper = folder.join("paper.json");
        let made = paper.is_file() && {
            let result: PaperResult = serde_json::from_slice(&std::fs::read(paper).unwrap()).unwrap();
            // Results from before times were kept have no unit to show.
            result.made.is_some()
        };
        if made || folder.join("unit.json").is_file() {
            files.push(folder.join("unit.json"));
        }
    }
    files.sort();
    assert!(!files.is_empty(), "some results say how they were made");
    for file in files {
        let sample: Sample = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let options = Options { part: Part::Unit(sample.unit.clone()), ..Options::default() };
        let experiment = house.papers_named(&sample.paper).unwrap().remove(0);
        reproduce(&*experiment, &house.games, &sample.plan, folder.path(), &options, &|_| {}).unwrap();
        let name = sample.unit.replace('/', "~");
        let kept = folder.path().join("units").join(format!("{name}.json"));
        let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(kept).unwrap()).unwrap();
        assert_eq!(kept["value"], sample.outcome, "{}: {}", sample.paper, sample.unit);
        println!("{}: {} again the same, {:.1} s then", sample.paper, sample.unit, sample.cpu_seconds);
    }
}
