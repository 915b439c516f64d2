//! The small commands.

use ludens::prelude::Model;

use crate::run::ludens;

#[test]
fn games_are_listed() {
    ludens("games").succeeds().printing("tic-tac-toe").printing("connect-four").printing("rules.kif");
    let games = ludens("games --json").json();
    let ids: Vec<&str> = games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    for id in ["tic-tac-toe", "connect-four", "backgammon"] {
        assert!(ids.contains(&id), "{id} is missing in {ids:?}");
    }
}

#[test]
fn minds_are_listed_for_the_games_they_play() {
    ludens("minds --game tic-tac-toe").succeeds().printing("random").printing("alphabeta").printing("depth:");
}

#[test]
fn a_setting_is_listed_with_its_default_and_its_limits() {
    ludens("minds tic-tac-toe")
        .succeeds()
        .printing("c: How much doubt counts. [default: 1; from 0 to 100]")
        .printing("sims: Simulations a move; none: 1000 when there is no budget. [default: none; a number");
}

#[test]
fn a_mind_that_does_not_play_a_game_says_why() {
    let text = ludens("minds backgammon").succeeds().stdout();
    let (_, not) =
        text.split_once("Not for backgammon").expect("the solver of Connect Four does not play it");
    let list = ludens("minds backgammon --json").json();
    let refused = list.as_array().unwrap().iter().filter(|mind| mind["games"] == serde_json::json!([]));
    let mut minds = 0;
    for mind in refused {
        let (name, why) = (mind["name"].as_str().unwrap(), mind["not"][0]["why"].as_str().unwrap());
        assert!(not.contains(name) && not.contains(why), "{name}: {why}");
        if mind["kind"] == "mind" {
            minds += 1;
            ludens(&format!("arena {name} random --game backgammon --games 2")).fails_with(2);
        }
    }
    assert!(minds > 0, "{not}");
}

#[test]
fn moves_lead_to_positions_that_can_be_read_again() {
    for start in ["tic-tac-toe", "connect-four", "backgammon --position 4HPwATDgc/ABMA:31"] {
        let listing = ludens(&format!("moves {start} --json")).json();
        let game = listing["game"].as_str().unwrap();
        let moves = listing["moves"].as_array().unwrap();
        assert!(moves.len() >= 4, "{start}: {} moves", moves.len());
        for mv in moves {
            let position = mv["position"].as_str().unwrap();
            let after = ludens(&format!("moves {game} --position={position} --json")).json();
            assert_eq!(after["position"], mv["position"], "{game}");
        }
    }
}

/// The sixteen distinct plays of 3-1 from the opening position, counted by hand in many books.
#[test]
fn the_opening_roll_of_31_has_sixteen_plays() {
    let listing = ludens("moves backgammon --position 4HPwATDgc/ABMA:31 --json").json();
    assert_eq!(listing["moves"].as_array().unwrap().len(), 16);
}

#[test]
fn perft_counts_what_is_published() {
    ludens("perft tic-tac-toe --games").succeeds().printing("255168");
    let layers = ludens("perft connect-four --depth 7 --distinct --json").json();
    let counted: Vec<u64> =
        layers["counts"].as_array().unwrap().iter().map(|count| count["count"].as_u64().unwrap()).collect();
    assert_eq!(counted, [1, 7, 49, 238, 1120, 4263, 16422, 54859]);
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        ludens(&format!("completions {shell}")).succeeds().printing("ludens");
    }
}

#[test]
fn every_command_shows_examples() {
    for command in ["", "games", "minds", "play", "moves", "perft", "bench", "completions", "arena"] {
        let text = ludens(&format!("{command} --help")).succeeds().stdout();
        assert!(text.contains("Example"), "ludens {command} --help shows no example");
    }
}

#[test]
fn every_move_of_an_explanation_has_its_number_and_its_label() {
    let decision = ludens("explain connect-four --position 474737 --mind alphabeta:depth=4 --json").json();
    let moves = decision["why"]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    for mv in moves {
        let (number, label) = (mv["mv"].as_u64().unwrap(), mv["label"].as_str().unwrap());
        assert_eq!((number + 1).to_string(), label, "the columns of Connect Four count from 1");
    }
    let preferred = &decision["why"]["preferred"];
    assert_eq!((&preferred["mv"], &preferred["label"]), (&decision["mv"], &decision["label"]), "{preferred}");
    let named =
        ludens("explain --game connect-four --position 474737 --mind alphabeta:depth=4 --json").json();
    assert_eq!(named, decision, "the game may be named as other commands name it");
    let contrast = ludens("explain connect-four --position 474737 --mind ranker --why-not 1 --json").json();
    let line = contrast["line"].as_array().unwrap();
    assert_eq!(contrast["label"], "1");
    assert_eq!(contrast["line_labels"].as_array().unwrap().len(), line.len());
}

#[test]
fn a_file_of_positions_is_solved_past_a_finished_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.txt");
    std::fs::write(&file, "444\n1212121\n44444\n").unwrap();
    let named = format!("solve connect-four --file {}", file.display());
    let text = ludens(&named).succeeds().stdout();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("444 ") && lines[2].starts_with("44444 "), "{text}");
    assert_eq!(lines[1], "1212121 over");
    let json = ludens(&format!("{named} --json")).succeeds().stdout();
    let ended: serde_json::Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&ended["over"], &ended["winner"]), (&true.into(), &"first".into()));
}

#[test]
fn solved_moves_have_numbers_and_labels() {
    let answer = ludens("solve connect-four 4433 --all --json").json();
    let ranking = answer["ranking"].as_array().unwrap();
    assert_eq!(ranking.len(), 7);
    assert_eq!((&ranking[4]["mv"], &ranking[4]["label"]), (&4.into(), &"5".into()));
    assert_eq!(ranking[4]["score"], answer["scores"][4]);
}

#[test]
fn any_mind_is_judged_by_the_solver_with_its_interval() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.txt");
    // One move wins at once in each; the one-move mind finds it.
    std::fs::write(&file, "4444436753365\n414141\n717171\n").unwrap();
    let rows = ludens(&format!("bench policy --mind depth1 --file {} --json", file.display())).json();
    let row = &rows[0];
    assert_eq!((&row["name"], row["any_best"].as_f64()), (&"depth1".into(), Some(1.0)));
    assert!(row["any_best_low"].as_f64().unwrap() < 0.8 && row["any_best_high"] == 1.0, "{row}");
    // Our own ranker, where no mind is named: every share with where it lies.
    let rows = ludens(&format!("bench policy --file {} --json", file.display())).json();
    for share in ["best_first", "any_best", "best_last", "outcome_kept"] {
        let [low, middle, high] =
            ["_low", "", "_high"].map(|end| rows[0][format!("{share}{end}")].as_f64().unwrap());
        assert!(
            0.0 <= low && low <= middle && middle <= high && high <= 1.0 && low < high,
            "{share}: {}",
            rows[0]
        );
    }
    let text = ludens(&format!("bench policy --file {}", file.display())).succeeds().stdout();
    assert_eq!(text.matches('[').count(), 4, "an interval for each share: {text}");
}

#[test]
fn training_is_counted_in_games_for_every_learner() {
    let home = tempfile::tempdir().unwrap();
    let steps = |command: &str| {
        let ended = ludens(&format!("train {command} --home {} --json", home.path().display())).json();
        ended["step"].as_u64().unwrap()
    };
    // A cycle of this learner is two matches.
    assert_eq!(steps("nhb:states=20,cycle=2 --game tic-tac-toe --games 6"), 3);
    assert_eq!(steps("nhb:states=20,cycle=2 --game tic-tac-toe --steps 3"), 3);
    // A step of this one is a game.
    assert_eq!(steps("odds --game tic-tac-toe --games 6"), 6);
    let games = |learner: &str, games: u64| {
        let command = format!(
            "train {learner} --game backgammon --games {games} --home {} --json",
            home.path().display()
        );
        let ended = ludens(&command).json();
        let model = Model::from_bytes(&std::fs::read(ended["model"].as_str().unwrap()).unwrap()).unwrap();
        model.ledger.games
    };
    assert_eq!((games("td", 30), games("td", 620)), (30, 620), "a step of this one is five hundred games");
    for wanted in [30, 450] {
        let played = games("hc", wanted);
        assert!(
            (wanted..wanted + 8).contains(&played),
            "hc played {played} games of {wanted}: a match is played to its end"
        );
    }
    ludens(&format!("train contexts --game connect-four --games 5 --home {}", home.path().display()))
        .fails_with(2)
        .saying("--steps");
}

#[test]
fn people_of_one_file_are_foretold_from_another_and_a_foreign_file_is_not_to_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.csv");
    std::fs::write(&file, "name,age\nAda,36\n").unwrap();
    let said = ludens(&format!("humans {}", file.display())).fails_with(1).stderr();
    assert!(said.contains("no file of moves of people") && !said.to_lowercase().contains("delete"), "{said}");
    let records = folder.path().join("moves.csv");
    let empty = "0".repeat(36);
    let first = format!("1{}", "0".repeat(35));
    let text = format!(
        "game,ply,colour,black,white,move,response_ms,player,fold\n1,0,black,{empty},{empty},0,500,1,1\n1,1,white,{first},{empty},1,500,2,2\n"
    );
    std::fs::write(&records, text).unwrap();
    let named = format!("humans {0} --test {0} --json", records.display());
    let foretold = ludens(&named).json();
    assert_eq!((foretold["moves"].as_u64(), foretold["folds"].as_u64()), (Some(2), Some(1)));
    // Another file: what is foretold are the moves of that one, by what the first one taught.
    let line = |ply: u32, cell: usize| {
        let stones = |from: usize| {
            (0..36).map(|at| if at < ply as usize && at % 2 == from { '1' } else { '0' }).collect::<String>()
        };
        let colour = ["black", "white"][ply as usize % 2];
        format!("1,{ply},{colour},{},{},{cell},500,1,1\n", stones(0), stones(1))
    };
    let head = "game,ply,colour,black,white,move,response_ms,player,fold\n";
    let write = |name: &str, cells: &[usize]| {
        let file = folder.path().join(name);
        let lines: String = cells.iter().enumerate().map(|(ply, &cell)| line(ply as u32, cell)).collect();
        std::fs::write(&file, head.to_string() + &lines).unwrap();
        file.display().to_string()
    };
    let (learnt, tested) = (write("learnt.csv", &[0, 1, 2, 3, 4, 5]), write("tested.csv", &[0, 1, 2]));
    let asked = |fit: &str, test: &str| ludens(&format!("humans {fit} --test {test} --json")).json();
    let [of_three, of_six] = [asked(&learnt, &tested), asked(&tested, &learnt)];
    assert_eq!(
        (of_three["moves"].as_u64(), of_six["moves"].as_u64()),
        (Some(3), Some(6)),
        "{of_three} {of_six}"
    );
    let elsewhere = asked(&write("otherwise.csv", &[35, 1, 2, 3, 4, 5]), &tested);
    assert_ne!(elsewhere, of_three, "what was learnt from makes a difference");
    ludens(&format!("humans {learnt} --test {}", file.display()))
        .fails_with(1)
        .saying("no file of moves of people");
}
