//! `gamesat solve --strategy` and `gamesat check` hand in hand.

use assert_cmd::Command;
use std::path::PathBuf;

/// A directory of its own for each test, removed when the test is done.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gamesat-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn gamesat() -> Command {
    Command::new(env!("CARGO_BIN_EXE_gamesat"))
}

#[test]
fn what_is_solved_can_be_checked() {
    let directory = Directory::new("accepted");
    let games: [(&str, &str, &[&str], i32); 7] = [
        ("hex", "hex 4\n", &[], 10),
        ("white", "hex 3\nturn white\n. B .\n . . .\n  . . .\n", &[], 20),
        ("y", "y 3\n", &[], 10),
        ("infix", "x == y", &[], 20),
        ("stars", "x == y", &["--stars", "1"], 10),
        ("turn", "(a | b) & (c | d)", &["--turn", "min", "--rule", "own"], 10),
        ("played", "p gamesat dnf 4 2\nplayed 1 -4 0\n1 2 0\n3 4 0\n", &[], 10),
    ];
    for (name, text, arguments, code) in games {
        let game = directory.file(name, text);
        let strategy = directory.0.join("strategy");
        gamesat().arg("solve").arg(&game).args(arguments).arg("--strategy").arg(&strategy).assert().code(code);
        let winner = if code == 10 { "max" } else { "min" };
        let checked = gamesat().arg("check").arg(&game).arg(&strategy).args(arguments).assert().code(0);
        checked.stdout(format!("s accepted {winner}\n"));
    }
}

/// A strategy of what `simplify` prints is one of what it was printed of, and of nothing else.
#[test]
fn strategies_of_reduced_games_are_checked() {
    let directory = Directory::new("reduced");
    let games: [(&str, &str, &[&str], &str); 5] = [
        ("hex", "hex 4\n", &["--moves", "b2"], "min"),
        ("filled", "hex 3\n", &["--moves", "b2"], "max"),
        ("y", "y 3\n", &[], "max"),
        ("infix", "(x == (y | z)) & (u | v)", &[], "max"),
        ("own", "(!a | b) & (c | d)", &["--rule", "own", "--stars", "1", "--turn", "min"], "max"),
    ];
    let mut files = Vec::new();
    for (name, text, arguments, winner) in games {
        let game = directory.file(name, text);
        let printed = gamesat().arg("simplify").arg(&game).args(arguments).output().unwrap();
        let reduced = directory.file(&format!("{name}.reduced"), &String::from_utf8(printed.stdout).unwrap());
        let strategy = directory.0.join(format!("{name}.strategy"));
        gamesat().arg("solve").arg(&reduced).arg("--strategy").arg(&strategy).output().unwrap();
        let mut check = gamesat();
        check.arg("check").arg(&game).arg(&strategy).args(arguments).arg("--reduced").arg(&reduced);
        check.assert().code(0).stdout(format!("s accepted {winner}\n"));
        files.push((game, reduced, strategy));
    }
    // Without what is promised, and of another game.
    let (game, reduced, strategy) = &files[3];
    let text = std::fs::read_to_string(reduced).unwrap();
    assert!(text.contains("c promise 1 max u=TRUE v=TRUE\n"), "{text}");
    let silent = directory.file("silent", &text.replace("c promise", "c"));
    let check = |game: &PathBuf, reduced: &PathBuf| {
        gamesat().arg("check").arg(game).arg(strategy).arg("--reduced").arg(reduced).assert()
    };
    check(game, &silent).code(3);
    check(&directory.file("other", "(x == (y & z)) & (u | v)"), reduced).code(3);
    check(&directory.file("more", "(x == (y | z)) & (u | v) & w"), reduced).code(3);
    check(&directory.file("renamed", "(x == (y | z)) & (u | w)"), reduced).code(1);
    check(&files[0].0, reduced).code(1);
    check(game, &directory.file("nothing", "")).code(1);
}

#[test]
fn a_strategy_for_another_game_is_rejected() {
    let directory = Directory::new("rejected");
    let strategy = directory.file("strategy", "p strategy max 1\nl 0 1 2 3 4 0\n");
    let right = directory.file("right", "p gamesat cnf 4 2\n1 2 0\n3 4 0\n");
    let wrong = directory.file("wrong", "p gamesat cnf 4 2\n1 3 0\n2 4 0\n");
    gamesat().arg("check").arg(&right).arg(&strategy).assert().code(0);
    let rejected = gamesat().arg("check").arg(&wrong).arg(&strategy).assert().code(3);
    rejected.stdout("c node 1: the leaf does not decide the game\ns rejected\n");
    let cut = directory.file("cut", "p strategy max 1\nl 0 1 2 3 4\n");
    gamesat().arg("check").arg(&right).arg(&cut).assert().code(1);
}

#[test]
fn strategies_are_for_games_and_engines_that_have_them() {
    let directory = Directory::new("usage");
    let file = directory.0.join("strategy");
    gamesat().args(["-e", "exists x: x", "--strategy"]).arg(&file).assert().code(2);
    gamesat().args(["-e", "x | y", "--engine", "naive", "--strategy"]).arg(&file).assert().code(2);
    gamesat().args(["-e", "x | y", "--strategy"]).arg(directory.0.join("no/such/directory")).assert().code(1);
}
