//! Playing through the program: a person's lines, the neutral protocol, the Hex Text Protocol; and noise on each of them.

use assert_cmd::Command;
use serde_json::Value;

fn gamesat(args: &[&str], input: impl Into<Vec<u8>>) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamesat"));
    let output = command.args(args).write_stdin(input).timeout(std::time::Duration::from_secs(60)).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code(), text)
}

#[test]
fn a_game_is_played_to_its_end() {
    // Whoever begins wins 3x3 Hex; here that is the program, and the person plays the first cell that is free.
    let moves = "a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n";
    let (code, text) = gamesat(&["play", "hex", "3", "--side", "white"], moves);
    assert_eq!(code, Some(10), "{text}");
    assert!(text.contains("black plays b2, and wins\n") && text.ends_with("black wins\n"), "{text}");
    let (code, text) = gamesat(&["play", "-e", "forall x exists y: x == y", "--side", "forall"], "x=FALSE\n");
    assert_eq!(code, Some(10), "{text}");
    assert!(text.contains("exists plays y=FALSE, and wins"), "{text}");
    let (code, text) = gamesat(&["play", "hex", "3", "--side", "none"], "");
    assert_eq!(code, Some(10), "{text}");
}

#[test]
fn what_can_be_said_besides_moves() {
    let said = "why\nhint\nmoves\nz9\nb2 b3\nhelp\nlevel 1\nlevel x\nside nobody\nundo\nredo\n\u{0}\nresign\n";
    let (code, text) = gamesat(&["play", "hex", "3"], said);
    assert_eq!(code, Some(20), "{text}");
    for expected in [
        "black wins by c1, a2, b2, c2, a3",
        "these suffice",
        "c1, and wins",
        "a1 b1 c1 a2 b2 c2 a3 b3 c3",
        "'z9' is no move",
        "'b2' is not understood",
        "'x' is no number of seconds",
        "'nobody' is no side of this game: black, white, both or none",
        "there is no move to take back",
        "there is no move to play again",
        "that is no text",
        "white wins",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

/// Reasons for cells that are dead, captured or dominated, and the refutation of a move.
#[test]
fn a_move_has_its_reasons() {
    let said = "why a1\nwhy b2\nwhy z9\nb2\nwhy b2\nwhy b3\nquit\n";
    let (code, text) = gamesat(&["play", "hex", "3", "--side", "both"], said);
    assert_eq!(code, Some(0), "{text}");
    for expected in [
        "a1: ",
        "it loses: white answers ",
        " and wins inside ",
        "b2: ",
        "it wins",
        "'z9' is no move",
        "b2 is taken",
        "b3: captured by black with {a3,b3}, round 1; ",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let dead = "hex 3\nturn black\n. W .\n W . B\n  . B .\n";
    let file = std::env::temp_dir().join(format!("gamesat-dead-{}.hex", std::process::id()));
    std::fs::write(&file, dead).unwrap();
    let (_, text) = gamesat(&["play", &file.display().to_string(), "--side", "both"], "why a1\nquit\n");
    assert!(text.contains("a1: dead: the outcome does not depend on it"), "{text}");
    std::fs::remove_file(&file).unwrap();
}

/// Boards of games with an order say what their moves are called, and a search chooses them.
#[test]
fn games_with_an_order_have_coordinates() {
    let (code, text) = gamesat(&["play", "connect", "7x6", "4", "--seconds", "0.3"], "4\nquit\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with(".......\n") && text.contains("\n1234567\n"), "{text}");
    let (_, text) = gamesat(&["play", "dots", "2x2", "--side", "both"], "a1b1\nquit\n");
    assert!(text.starts_with("   a b c\n 1 + + +\n        \n 2 + + +\n"), "{text}");
    assert!(text.contains(" 1 +-+ +\n"), "{text}");
}

/// By how much a game of points is won is one sentence, whatever is asked: about the person, or else about the player to move.
#[test]
fn a_game_of_points_is_won_by_some() {
    let (_, text) = gamesat(&["play", "dots", "2x2", "--side", "B"], "hint\nwhy\nwhy a2b2\nquit\n");
    assert!(text.contains("A plays a1b1: you lose by 2 boxes\n"), "{text}");
    assert!(text.matches(": you lose by 2 boxes\n").count() == 3 && text.contains("\nyou lose by 2 boxes\n"), "{text}");
    let (_, text) = gamesat(&["play", "dots", "2x2", "--side", "both"], "why\nhint\na1b1\nwhy\nquit\n");
    assert!(text.contains("\nA wins by 2 boxes\n") && text.contains(": A wins by 2 boxes\n"), "{text}");
    assert!(text.ends_with("\nB loses by 2 boxes\n"), "{text}");
    // And so it ends.
    let lines = "a1b1\na1a2\na2b2\nb1b2\n";
    let (code, text) = gamesat(&["play", "dots", "1x1", "--side", "both"], lines);
    assert_eq!(code, Some(20), "{text}");
    assert!(text.ends_with("\nB wins by 1 box\n"), "{text}");
}

/// Nobody waits for ever: not for a person, not for a program.
#[test]
fn a_time_limit_ends_every_conversation() {
    for words in [&["play", "hex", "4"][..], &["serve"], &["htp"], &["play", "hex", "4", "--web"]] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamesat"));
        command.args(words).args(["--time-limit", "0.2"]).stdin(std::process::Stdio::piped());
        let mut child =
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        let input = child.stdin.take();
        let status = child.wait().unwrap();
        assert!(status.code().is_some(), "{words:?}: {status}");
        drop(input);
    }
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = std::env::temp_dir().join(format!("gamesat-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (game, moves, name) in
        [("hex 4", "a1\nd4\n", "g.hex"), ("hex 4", "a1\nd4\n", "g.sgf"), ("line 3x3 3", "a1\nb2\n", "g")]
    {
        let path = folder.join(name);
        let words: Vec<&str> = ["play", "--side", "both"].into_iter().chain(game.split(' ')).collect();
        let saved = gamesat(&words, format!("{moves}save {}\nquit\n", path.display())).1;
        assert!(saved.contains("saved to"), "{saved}");
        let board =
            |text: &str| text.lines().filter(|line| line.contains(" . ")).map(str::to_owned).collect::<Vec<_>>();
        let loaded = gamesat(&["play", "hex", "2", "--side", "both"], format!("load {}\nquit\n", path.display())).1;
        let [saved, loaded] = [board(&saved), board(&loaded)].map(|lines| lines[lines.len() - 3..].to_vec());
        assert_eq!(saved, loaded);
    }
    // A game of Hex keeps its moves, so that they can be taken back.
    let path = folder.join("g.sgf");
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "(;FF[4]GM[11]SZ[4]PL[B];B[a1];W[d4])\n");
    let loaded = gamesat(&["play", "hex", "2", "--side", "both"], format!("load {}\nundo\nquit\n", path.display())).1;
    assert!(loaded.ends_with("1 B . . .\n2  . . . .\n3   . . . .\n4    . . . .\nlast move: a1\n"), "{loaded}");
    let (code, text) = gamesat(&["play", "hex", "3"], "save /nowhere/at/all\nload /nowhere\nquit\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.matches("No such file").count() == 2, "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_neutral_protocol() {
    let requests = "winner\ngame hex 3\n# nothing\n\nside max\nplay a1\ngenmove\nside min\ngenmove 5\nwinner\nundo\nanalyse\n\
                    play a1\nfly\ngame /nowhere\ngame line 3x3 3 misere\nmoves\nquit\nplay a1\n";
    let (code, text) = gamesat(&["serve"], requests);
    assert_eq!(code, Some(0), "{text}");
    let answers: Vec<&str> = text.lines().collect();
    assert_eq!(
        answers[..6],
        ["? there is no game yet: game FILE", "= turn black", "= max", "= a1", "? it is white's turn", "= min"]
    );
    assert!(answers[6].starts_with("= "), "{text}");
    assert_eq!(answers[7..9], ["= white", "= turn white"]);
    assert!(answers[9].starts_with("= white; moves ") && answers[9].contains("; trace "), "{text}");
    assert_eq!(answers[10], "? a1 is taken");
    assert!(answers[11].starts_with("? 'fly' is no request"), "{text}");
    assert!(answers[12..14].iter().all(|answer| answer.starts_with("? ")), "{text}");
    assert_eq!(answers[14], "= b1 c1 a2 b2 c2 a3 b3 c3");
    assert_eq!(answers[15..], ["="]);

    let (_, text) = gamesat(&["serve", "--json", "hex", "2"], "genmove\nplay a1\nwinner\nplay b2\nquit\n");
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["prospect"], "wins");
    assert!(answers.iter().take(3).any(|answer| answer["ok"] == true && answer["winner"] == "max"), "{text}");
}

#[test]
fn a_whole_game_between_two_servers() {
    let mut moves: Vec<String> = Vec::new();
    for ply in 0.. {
        let requests: String = moves.iter().map(|name| format!("play {name}\n")).collect();
        let (_, text) = gamesat(&["serve", "-e", "x"], "quit\n");
        assert!(text.contains("unexpected argument"), "{text}");
        let (_, text) = gamesat(&["serve", "hex", "3"], format!("{requests}genmove 10\nquit\n"));
        let answer = text.lines().rev().nth(1).unwrap().strip_prefix("= ").unwrap().to_owned();
        let mut words = answer.split(' ');
        moves.push(words.next().unwrap().to_owned());
        if words.next() == Some("over") {
            assert_eq!(words.next(), Some("black"));
            return;
        }
        assert!(ply < 9);
    }
}

#[test]
fn noise_is_answered() {
    let mut noise = vec![b'x'; 1 << 20];
    noise.extend(b"\n\0\0\n\xff\xfe\nplay\n");
    noise.extend("play 名\nhalf a li".as_bytes());
    for command in ["serve", "htp"] {
        let (code, text) = gamesat(&[command], noise.clone());
        assert_eq!(code, Some(0), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with('?')).count(), 6, "{text}");
    }
}

/// What HexGui sends when it starts a program, and during a game.
#[test]
fn a_session_with_hexgui() {
    let session = "name\nversion\nhexgui-analyze_commands\nboardsize 4 4\nclear_board\nclear_board\nshowboard\n\
                   play black b2\nshowboard\n1 genmove white\n2 undo\n3 play white c1\n# interrupt\n\
                   4 dfpn-solve-state black\n5 gamesat-winning-moves black\n6 gamesat-trace black\n7 gamesat-resistance black\n\
                   8 all_legal_moves\n9 final_score\n10 param_player\n11 param_player max_time 3\n12 known_command undo\n\
                   13 known_command fly\n14 fly\n15 play green a1\n16 play black b2\n17 boardsize 0 0\n18 undo\n19 undo\n20 undo\n\
                   21 play black a1\n22 play white swap-pieces\n23 protocol_version\nlist_commands\n24\n25 gamesat-dominated black\nquit\n";
    let (code, text) = gamesat(&["htp", "--seconds", "10"], session);
    assert_eq!(code, Some(0), "{text}");
    let answers: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(answers[0], "= gamesat");
    let menu: Vec<&str> = answers[2].trim_start_matches("= ").lines().collect();
    assert!(menu.contains(&"plist/Winning Moves/gamesat-winning-moves %m"), "{menu:?}");
    assert!(menu.iter().all(|line| line.split('/').count() == 3), "{menu:?}");
    let of = |id: &str| {
        let answer =
            answers.iter().find(|answer| answer[1..].starts_with(id) && answer[1 + id.len()..].starts_with(' '));
        *answer.unwrap_or_else(|| panic!("no answer to {id}: {text}"))
    };
    assert!(of("1").starts_with("=1 "), "{text}");
    assert_eq!(of("4"), "=4 black");
    assert!(of("5").split(' ').count() > 2 && of("6").starts_with("=6 "), "{text}");
    assert!(of("7").contains(" res ") && of("7").contains(" reb "), "{text}");
    assert_eq!(of("8").split(' ').count(), 15);
    assert_eq!(of("9"), "?9 cannot score: the game is not over");
    assert_eq!(of("10"), "=10 [string] max_time 10");
    assert_eq!((of("12"), of("13")), ("=12 true", "=13 false"));
    for id in ["14", "15", "16", "17", "20", "24"] {
        assert!(of(id).starts_with('?'), "{}", of(id));
    }
    assert_eq!(of("22"), "=22 ");
    assert!(of("25").starts_with("=25"), "{text}");
    assert!(text.contains("\nundo\n"), "{text}");
}

/// The buttons "solve state" and "show consider set" of HexGui, its parameter dialogues, and the menu.
#[test]
fn hexgui_sees_what_the_solver_found() {
    let session = "boardsize 3 3\nclear_board\nplay black b2\nparam_dfpn use_guifx 1\n1 dfpn-solve-state white\n\
                   2 vc-build white\n3 param_dfpn\n4 param_dfpn use_guifx 7\n5 gamesat-line white\n6 gamesat-mustplay white\n\
                   7 gamesat-influence white\n8 gamesat-mustplay black\n9 vc-build green\nquit\n";
    let (code, text) = gamesat(&["htp", "--seconds", "10"], session);
    assert_eq!(code, Some(0), "{text}");
    let answers: Vec<&str> = text.split("\n\n").collect();
    let at = |start: &str| {
        *answers.iter().find(|answer| answer.starts_with(start)).unwrap_or_else(|| panic!("{start}: {text}"))
    };
    // HexGui takes whatever comes before the answer for pictures, if it says so.
    let picture = at("gogui-gfx:\ndfpn\n");
    let places = ["VAR", "LABEL", "TEXT"].map(|word| picture.find(word).unwrap_or_else(|| panic!("{word}: {picture}")));
    assert!(places.is_sorted(), "{picture}");
    assert_eq!(at("=1"), "=1 black");
    // Pairs of a cell and a mark of three letters or with better cells.
    let marks: Vec<&str> = at("=2").split(' ').skip(1).collect();
    assert!(marks.len() >= 4 && marks.len().is_multiple_of(2), "{marks:?}");
    for pair in marks.chunks(2) {
        let is_mark =
            matches!(pair[1], "fdb" | "fdw" | "fcb" | "fcw") || pair[1].starts_with("id[") && pair[1].ends_with(']');
        assert!(is_mark, "{pair:?}");
    }
    assert!(marks.contains(&"fcb"), "{marks:?}");
    assert_eq!(at("=3"), "=3 [bool] use_guifx 1");
    assert!(at("?4").contains("arguments"), "{text}");
    assert!(at("=5").starts_with("=5") && at("=6").starts_with("=6 "), "{text}");
    assert!(at("=7").starts_with("=7 INFLUENCE a1 ") && at("=7").contains("\nTEXT "), "{text}");
    assert_eq!(at("=8").split(' ').count(), 9, "whatever White does, Black wins: {text}");
    assert!(at("?9").contains("no colour"), "{text}");
}

#[test]
fn matches_have_a_referee() {
    let serve = format!("{} serve", env!("CARGO_BIN_EXE_gamesat"));
    let htp = format!("htp:{} htp --seconds 2", env!("CARGO_BIN_EXE_gamesat"));
    let folder = std::env::temp_dir().join(format!("gamesat-records-{}", std::process::id()));
    let records = folder.display().to_string();
    // Whoever knows the game wins it as the one who begins, and from a die as the other one, too.
    let (code, text) = gamesat(
        &["match", &serve, &htp, "hex", "3", "--games", "2", "--seconds", "5", "--json", "--records", &records],
        "",
    );
    assert_eq!(code, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&report["wins"], &report["losses"], &report["faults"]),
        (&Value::from(1), &Value::from(1), &Value::from(0)),
        "{text}"
    );
    let record = std::fs::read_to_string(folder.join("0001.sgf")).unwrap();
    let other = std::fs::read_to_string(folder.join("0002.sgf")).unwrap();
    assert!(record.contains("RE[B+]") && other.contains("RE[B+]"), "who begins wins: {record} {other}");
    let (code, text) = gamesat(&["solve", "-"], record);
    assert_eq!(code, Some(10), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();

    // A player who stalls, one who dies, and one who cheats each lose their game, not the match.
    for (player, why) in [
        ("/bin/sleep 20", "in time"),
        ("/bin/false", "ended"),
        ("/bin/sh -c 'while read line; do echo = z9; done'", "'z9' is no move"),
    ] {
        let game = ["match", "random", player, "hex", "2", "--games", "1", "--seconds", "0.1", "--records", &records];
        let (code, text) = gamesat(&game, "");
        assert_eq!(code, Some(0), "{text}");
        let record = std::fs::read_to_string(folder.join("0001.sgf")).unwrap();
        assert!(record.contains("RE[B+Forfeit]"), "{record}");
        assert!(
            text.contains("random 1 wins") && text.contains("lost by fault") && text.contains(why),
            "{player}: {text}"
        );
    }
    let (code, text) = gamesat(&["match", "nobody", "random", "hex", "2"], "");
    assert_eq!(code, Some(2), "{text}");
    // A player who prints noise before its answers is heard all the same.
    let noisy = format!(
        "/bin/sh -c '{} serve | while read line; do echo noise; echo \"$line\"; done'",
        env!("CARGO_BIN_EXE_gamesat")
    );
    let (code, text) = gamesat(
        &[
            "match",
            &noisy,
            "random",
            "hex",
            "3",
            "--games",
            "2",
            "--seconds",
            "2",
            "--threads",
            "2",
            "--swap",
            "--json",
        ],
        "",
    );
    assert_eq!(code, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["games"], &report["faults"]), (&Value::from(2), &Value::from(0)), "{text}");
    // Players of games with an order are under the same referee.
    let (code, text) = gamesat(&["match", "policy", "random", "dots", "2x2", "--games", "4", "--fixed"], "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("policy") && text.ends_with(" points\n"), "{text}");
    assert_eq!(gamesat(&["match", "policy", "random", "connect", "5x3", "3"], "").0, Some(2));
    let (code, text) = gamesat(&["match", "playouts", "random", "hex", "4", "--games", "4", "--json"], "");
    assert_eq!(code, Some(0), "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["faults"], Value::from(0), "{text}");
}

/// The playing competition on generated families: who claims to win does, whoever the opponent is; and who claims too much is
/// exposed.
#[test]
fn claims_are_kept_or_exposed() {
    let file = std::env::temp_dir().join(format!("gamesat-claims-{}.txt", std::process::id()));
    let path = file.display().to_string();
    let mut verdicts = [0, 0];
    let families = [
        "kbkf 2",
        "qparity 3",
        "equality 2",
        "cr 2",
        "pigeonhole pigeons=3 holes=2",
        "pigeonhole pigeons=4 holes=2",
        "random vars=3 clauses=9 --seed 1",
        "random vars=3 clauses=9 --seed 2",
        "random vars=3 clauses=6 planted=yes",
    ];
    for family in families {
        let words: Vec<&str> = ["generate"].into_iter().chain(family.split(' ')).collect();
        std::fs::write(&file, gamesat(&words, "").1).unwrap();
        let verdict = gamesat(&["solve", &path, "-q"], "").0;
        verdicts[usize::from(verdict == Some(20))] += 1;
        for opponent in ["random", "glance", "solver"] {
            let (code, text) =
                gamesat(&["match", "solver", opponent, &path, "--games", "2", "--seconds", "5", "--json"], "");
            assert_eq!(code, Some(0), "{family}: {text}");
            let report: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(
                (&report["wrong_claims"], &report["faults"]),
                (&Value::from(0), &Value::from(0)),
                "{family}: {text}"
            );
            // The solver has each side once, and wins at least with the one that wins.
            assert!(report["wins"].as_u64().unwrap() >= 1, "{family} against {opponent}: {text}");
        }
    }
    assert!(verdicts[0] > 1 && verdicts[1] > 1, "{verdicts:?}");
    // It says that it wins whatever it is given, and plays on.
    std::fs::write(&file, "exists z forall x, y: z == (x ^ y)\n").unwrap();
    let boaster = "/bin/sh -c 'while read word rest; do case $word in winner) echo = exists;; genmove) echo = z=TRUE;; \
                   *) echo =;; esac; done'";
    let (code, text) = gamesat(&["match", boaster, "solver", &path, "--games", "2", "--fixed", "--seconds", "5"], "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("WRONG CLAIM: /bin/sh") && text.contains("as exists, and loses it"), "{text}");
    assert_eq!(text.matches("WRONG CLAIM").count(), 1, "{text}");
    std::fs::remove_file(&file).unwrap();
}

/// The playing competition of quantified formulas: whoever claims to win and loses has claimed too much.
#[test]
fn skolem_and_herbrand_strategies_win_their_games() {
    for formula in [
        "forall x, y exists z: z == (x ^ y)",
        "exists z forall x, y: z == (x ^ y)",
        "forall a exists b forall c exists d: (a == b) & (c == d)",
    ] {
        let file = std::env::temp_dir().join(format!("gamesat-match-{}.infix", std::process::id()));
        std::fs::write(&file, format!("{formula}\n")).unwrap();
        let path = file.display().to_string();
        let is_true = gamesat(&["solve", &path], "").0 == Some(10);
        // The solver takes the side that wins: the one who begins, or the other one.
        let begins = formula.starts_with("exists");
        let players = if begins == is_true { ["solver", "random"] } else { ["random", "solver"] };
        let (_, text) = gamesat(&["match", players[0], players[1], &path, "--games", "8", "--fixed", "--json"], "");
        let report: Value = serde_json::from_str(&text).unwrap();
        let won = if players[0] == "solver" { &report["wins"] } else { &report["losses"] };
        assert_eq!(won, &Value::from(8), "{formula}: {text}");
        std::fs::remove_file(&file).unwrap();
    }
}
