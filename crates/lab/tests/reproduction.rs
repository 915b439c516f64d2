//! Units: spread over threads, stopped, split over machines, damaged; the bytes at the end are the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ludens_core::Games;
use ludens_lab::{
    About, Cell, Experiment, Figure, FigureKind, Heat, LabError, Options, Outcomes, PaperResult, Part, Plan,
    Point, Role, Row, Scale, Series, Shard, Table, Unit, UnitCtx, merge, papers, plan_of, report, reproduce,
    stats,
};
use serde_json::{Value, json};

/// Throws weighted coins: a shared unit makes the weight, others throw.
#[derive(Default)]
struct Coins {
    /// The unit that stops the run, once.
    stop_in: Option<&'static str>,
    ran: AtomicU64,
}

impl Experiment for Coins {
    fn about(&self) -> About {
        About { id: "coins", title: "Coins & <dice>", citation: "nobody, 1900" }
    }

    fn units(&self, plan: &Plan) -> Vec<Unit> {
        let mut units = vec![plan.unit("weight")];
        units.extend((0..plan.seeds_or(5)).map(|n| plan.unit(format!("throw/{n}")).needs("weight")));
        units
    }

    fn run_unit(&self, plan: &Plan, unit: &Unit, ctx: &UnitCtx) -> Result<Value, LabError> {
        self.ran.fetch_add(1, Ordering::Relaxed);
        if unit.name == "weight" {
            fs::write(ctx.artefact("weight.txt"), "0.6").map_err(LabError::other)?;
            return Ok(json!(0.6));
        }
        if self.stop_in == Some(unit.name.as_str()) {
            fs::write(ctx.checkpoint("half")?, "half way").map_err(LabError::other)?;
            return Err(LabError::Stopped);
        }
        let weight: f64 = ctx.outcomes().get("weight")?;
        let mut rng = ctx.rng();
        let throws = plan.scale.pick(200, 1_000, 10_000);
        let heads = (0..throws).filter(|_| rng.chance(weight)).count();
        ctx.progress(1.0, "thrown");
        Ok(json!({"heads": heads, "share": heads as f64 / f64::from(throws)}))
    }

    fn assemble(&self, plan: &Plan, outcomes: &Outcomes) -> Result<PaperResult, LabError> {
        let shares: Vec<f64> = (0..plan.seeds_or(5))
            .map(|n| outcomes.get_field(&format!("throw/{n}"), "share"))
            .collect::<Result<_, _>>()?;
        let mut result = PaperResult::new(self.about(), plan);
        result.summary.push("Coins fall <b>as they must</b>.".into());
        result.tables.push(
            Table::new("1", "Heads", &["share", "word"]).row(Row::new(
                "our coin",
                [Cell::mean(&shares).paper_mean(0.6, 0.02, 10), Cell::text("a | b")],
            )),
        );
        let halves = vec![0.5; shares.len()];
        let test = stats::paired_t(&shares, &halves).ok_or_else(|| LabError::other("too few"))?;
        result.claim_family([("heads come more often than tails".to_string(), test)]);
        let points = shares.iter().enumerate().map(|(n, share)| Point::new(n as f64, *share));
        let chance = [0.0, 4.0].map(|x| Point::new(x, 0.5));
        let figure = |id: &str, kind| Figure {
            id: id.into(),
            title: "Shares".into(),
            caption: "by throw".into(),
            x_label: "throw".into(),
            y_label: "share".into(),
            log_x: false,
            log_y: false,
            kind,
        };
        let series =
            vec![Series::points("coins", points), Series::line("chance", chance).role(Role::Reference)];
        result.figures.push(figure("1", FigureKind::Plot(series.clone())));
        let categories = (0..5).map(|n| n.to_string()).collect();
        result.figures.push(figure("2", FigureKind::Bars { categories, series }));
        result.figures.push(figure(
            "3",
            FigureKind::Heat(Heat {
                x_names: vec!["a".into(), "b".into()],
                y_names: vec!["c".into()],
                values: vec![vec![Some(0.5), None]],
                unit: "odds".into(),
                middle: Some(1.0),
                log: true,
            }),
        ));
        Ok(result)
    }
}

fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let units = fs::read_dir(folder.join("units")).unwrap().map(|entry| entry.unwrap().path());
    ["plan.json", "result.json", "report.html", "report.md"]
        .iter()
        .map(|name| folder.join(name))
        .chain(units)
        .map(|path| (path.strip_prefix(folder).unwrap().display().to_string(), without_time(&path)))
        .collect()
}

/// The bytes of a file; of a result without what the machine adds to it.
fn without_time(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if !path.ends_with("result.json") {
        return bytes;
    }
    let mut result: PaperResult = serde_json::from_slice(&bytes).unwrap();
    let made = result.made.take().expect("a result says by what it was made");
    assert!(made.cores > 0 && made.command == result.command() && made.cpu_total() >= 0.0);
    assert_eq!(made.cpu_seconds.keys().collect::<Vec<_>>(), ["throw", "weight"]);
    serde_json::to_vec(&result).unwrap()
}

fn options(threads: usize) -> Options {
    Options { threads: Some(threads), ..Options::default() }
}

/// Coins need none.
fn no_games() -> Arc<Games> {
    Games::new(Vec::new(), Default::default())
}

fn plan() -> Plan {
    Plan::new(Scale::Smoke, 9)
}

fn whole(threads: usize) -> (tempfile::TempDir, BTreeMap<String, Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let done = reproduce(&Coins::default(), &no_games(), &plan(), folder.path(), &options(threads), &|_| {})
        .unwrap();
    assert!(done.result.unwrap().claims[0].holds);
    let files = results(folder.path());
    (folder, files)
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    assert_eq!(whole(1).1, whole(2).1);
    assert_eq!(whole(1).1, whole(7).1);
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let stopping = Coins { stop_in: Some("throw/3"), ..Coins::default() };
    let stopped =
        reproduce(&stopping, &no_games(), &plan(), folder.path(), &options(1), &|_| {}).unwrap_err();
    assert!(matches!(stopped, LabError::Stopped));
    assert!(folder.path().join("work/throw~3/half").exists(), "the checkpoint waits");
    assert!(!folder.path().join("result.json").exists());
    let rest = Coins::default();
    let done = reproduce(&rest, &no_games(), &plan(), folder.path(), &options(2), &|_| {}).unwrap();
    assert_eq!(rest.ran.into_inner(), 2, "throws 3 and 4 were left");
    assert_eq!((done.units_done, done.units_total), (6, 6));
    assert!(!folder.path().join("work/throw~3").exists(), "the checkpoint has served");
    assert_eq!(results(folder.path()), whole(1).1);
}

#[test]
fn parts_on_several_machines_join_to_the_same() {
    let parts: Vec<_> = (1..=3)
        .map(|index| {
            let folder = tempfile::tempdir().unwrap();
            let part = Options { part: Part::Shard(Shard { index, count: 3 }), ..options(2) };
            let done =
                reproduce(&Coins::default(), &no_games(), &plan(), folder.path(), &part, &|_| {}).unwrap();
            assert!(done.result.is_none() && done.units_done < done.units_total);
            folder
        })
        .collect();
    assert_eq!(plan_of(parts[0].path()).unwrap(), ("coins".to_string(), plan()));
    let out = tempfile::tempdir().unwrap();
    let paths: Vec<_> = parts.iter().map(|part| part.path().to_path_buf()).collect();
    let two = merge(&Coins::default(), &plan(), &paths[..2], out.path()).unwrap();
    assert!(two.result.is_none(), "one part is missing");
    let all = merge(&Coins::default(), &plan(), &paths, out.path()).unwrap();
    assert!(all.result.is_some());
    assert_eq!(results(out.path()), whole(1).1);
    assert!(out.path().join("artefacts/weight.txt").exists());
}

#[test]
fn damage_is_named_and_only_that_part_repeated() {
    let (folder, files) = whole(1);
    let unit = folder.path().join("units/throw~2.json");
    let text = fs::read_to_string(&unit).unwrap();
    for damage in
        [text[..text.len() / 2].to_string(), text.replace("\"heads\":1", "\"heads\":2"), String::new()]
    {
        fs::write(&unit, damage).unwrap();
        let error = reproduce(&Coins::default(), &no_games(), &plan(), folder.path(), &options(1), &|_| {})
            .unwrap_err();
        assert!(error.to_string().contains("throw~2.json is damaged"), "{error}");
    }
    fs::remove_file(&unit).unwrap();
    reproduce(&Coins::default(), &no_games(), &plan(), folder.path(), &options(1), &|_| {}).unwrap();
    assert_eq!(results(folder.path()), files);
}

#[test]
fn other_plans_and_bad_parts_are_refused() {
    let (folder, _) = whole(1);
    let other = reproduce(
        &Coins::default(),
        &no_games(),
        &Plan::new(Scale::Smoke, 10),
        folder.path(),
        &options(1),
        &|_| {},
    );
    assert!(matches!(other, Err(LabError::OtherPlan { .. })));
    for text in ["0/3", "4/3", "x", "1/", "/", "-1/3"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    assert_eq!("2/3".parse::<Shard>().unwrap(), Shard { index: 2, count: 3 });
    assert!(papers::named("nonsense").is_err());
    let nowhere = Path::new("/proc/no-such-folder");
    assert!(reproduce(&Coins::default(), &no_games(), &plan(), nowhere, &options(1), &|_| {}).is_err());
}

#[test]
fn the_page_stands_alone_and_its_text_is_safe() {
    let (folder, _) = whole(1);
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(!page.contains("http"), "no network");
    assert!(page.contains("Coins &amp; &lt;dice&gt;") && !page.contains("<b>as they must"));
    for part in
        ["paper 0.600", "prefers-color-scheme", "viewport", "ludens reproduce coins --scale smoke --seed 9"]
    {
        let found = page.contains(part) || page.contains(&part.replace("paper ", "\"theirs\">"));
        assert!(found, "{part}");
    }
    assert_eq!(page.matches("<svg viewBox=\"0 0 720").count(), 3);
    let markdown = fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(markdown.contains("a \\| b") && markdown.contains("(paper 0.600"), "{markdown}");
    let result: PaperResult =
        serde_json::from_slice(&fs::read(folder.path().join("result.json")).unwrap()).unwrap();
    assert_eq!(report::agreement(&result).1, 1);
}
