//! The walls that cargo does not hold: those between the rooms of `src`, as the table in `CONTRIBUTING.md` has them, and those
//! between the engines for games; and that what is trusted is short. Tests inside of files may look wherever they like; comments, too.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file with its path from the root, and its text without comments and without tests.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("src"), root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("\nmod tests {").next().unwrap_or_default();
                let code =
                    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
                files.push((path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), code));
            }
        }
    }
    files.sort();
    assert!(files.len() > 200, "{}", files.len());
    files
}

/// The rooms of the table, highest first: all rooms of one row are on one storey.
fn storeys() -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `src/"));
    let rooms = |row: &str| {
        let cell = row.split('|').nth(1).unwrap_or_default();
        cell.split('`').filter(|word| word.starts_with("src/")).map(str::to_owned).collect()
    };
    rows.map(rooms).collect()
}

/// The storey of a path, which is that of the longest room with which it begins.
fn storey(storeys: &[Vec<String>], path: &str) -> Option<usize> {
    let fits = |room: &str| path.starts_with(room) || format!("{path}/") == room;
    let rooms = storeys.iter().enumerate().flat_map(|(at, rooms)| rooms.iter().map(move |room| (at, room)));
    rooms.filter(|(_, room)| fits(room)).max_by_key(|(_, room)| room.len()).map(|(at, _)| at)
}

/// The modules of its own crate that a text names.
fn used(code: &str) -> impl Iterator<Item = &str> {
    let end = |rest: &str| rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    code.match_indices("crate::").map(move |(at, path)| &code[at + path.len()..]).map(move |rest| &rest[..end(rest)])
}

#[test]
fn rooms_look_down() {
    let storeys = storeys();
    assert_eq!(storeys.len(), 5, "{storeys:?}");
    for room in storeys.iter().flatten() {
        assert!(root().join(room).exists(), "CONTRIBUTING.md speaks of {room}");
    }
    let mut wrong = Vec::new();
    let mut looks = 0;
    for (path, code) in sources() {
        // The front: it names every room.
        if !path.starts_with("src/") || path == "src/lib.rs" {
            continue;
        }
        let Some(own) = storey(&storeys, &path) else { panic!("{path} has no place in CONTRIBUTING.md") };
        for module in used(&code).filter(|module| root().join("src").join(module).is_dir()) {
            looks += 1;
            if storey(&storeys, &format!("src/{module}")).is_none_or(|other| other < own) {
                wrong.push(format!("{path} uses {module}, which stands above it"));
            }
        }
    }
    assert!(wrong.is_empty() && looks > 10, "{looks} {wrong:#?}");
}

#[test]
fn engines_for_games_know_nothing_of_each_other() {
    let engines = ["colouring", "graph", "sequential"];
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        let own = engines.iter().find(|engine| path.starts_with(&format!("crates/games/src/{engine}/")));
        if own.is_some() {
            let others = used(&code).filter(|module| engines.contains(module) && Some(module) != own);
            wrong.extend(others.map(|other| format!("{path} knows the engine {other}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Commands are what the dispatcher in `src/cli/mod.rs` runs.
#[test]
fn no_command_imports_another() {
    let dispatcher = fs::read_to_string(root().join("src/cli/mod.rs")).unwrap();
    let commands: Vec<&str> = dispatcher
        .lines()
        .filter(|line| line.contains("Command::"))
        .filter_map(|line| line.split("=> ").nth(1)?.split("::").next())
        .collect();
    assert!(commands.len() > 15, "{commands:?}");
    for (path, code) in sources().iter().filter(|(path, _)| path.starts_with("src/cli/") && path != "src/cli/mod.rs") {
        for command in &commands {
            let own = Path::new(path).file_stem().is_some_and(|stem| stem == *command);
            for import in [format!("super::{command}::"), format!("cli::{command}::"), format!("super::{command};")] {
                assert!(own || !code.contains(&import), "{path} imports {import}");
            }
        }
    }
}

#[test]
fn only_the_command_line_speaks_of_flags() {
    for (path, code) in sources().iter().filter(|(path, _)| !path.starts_with("src/cli/")) {
        for (number, line) in code.lines().enumerate() {
            let flag = line.match_indices("--").any(|(at, _)| {
                let before = line[..at].chars().next_back();
                let behind = line[at + 2..].chars().next();
                // A custom property of a style sheet is none.
                matches!(before, Some(' ' | '"' | '\'' | '`')) && behind.is_some_and(char::is_alphabetic)
            });
            assert!(!flag, "{path}, line {} of its code: {line}", number + 1);
        }
    }
}

/// A board is a file and a line. Names of formats and protocols are no knowledge about boards.
#[test]
fn hex_is_known_to_its_own_file_and_to_the_format_of_its_records() {
    let own =
        ["src/lib.rs", "crates/core/src/rules/hex.rs", "crates/core/src/rules/mod.rs", "crates/format/src/sgf.rs"];
    // Cases for tests are tests.
    let others = |path: &str| !own.contains(&path) && !path.ends_with("/cases.rs");
    for (path, code) in sources().iter().filter(|(path, _)| others(path)) {
        let code = code.replace("Hex Text Protocol", "");
        for (number, line) in code.lines().enumerate() {
            let word = line.split(|c: char| !c.is_alphanumeric()).any(|word| ["hex", "Hex", "HEX"].contains(&word));
            assert!(!word, "{path}, line {} of its code: {line}", number + 1);
        }
    }
}

#[test]
fn files_are_short() {
    for (path, _) in sources() {
        let lines = fs::read_to_string(root().join(&path)).unwrap().lines().count();
        assert!(lines <= 800, "{path} has {lines} lines");
    }
}

/// The table of judges in `docs/proofs.md`: the files of each row, and its number of lines.
fn judges() -> Vec<(Vec<String>, usize)> {
    let text = fs::read_to_string(root().join("docs/proofs.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').collect();
        let files = cells[2].split('`').filter(|word| word.ends_with(".rs")).map(str::to_owned).collect();
        (files, cells[3].trim().parse().unwrap())
    };
    rows.map(row).collect()
}

/// What has to be trusted is short, every file of it is in the table, and no judge uses an evaluator.
#[test]
fn judges_are_short() {
    const BASE: &str = "crates/check/src/";
    let lines = |path: &str| {
        let text = fs::read_to_string(root().join(BASE).join(path)).unwrap();
        text.split("\n#[cfg(test)]\n")
            .next()
            .and_then(|text| text.split("\n#[cfg(all(test").next())
            .unwrap()
            .lines()
            .count()
    };
    let (mut all, mut told) = (0, Vec::new());
    for (files, said) in judges() {
        let found: usize = files.iter().map(|file| lines(file)).sum();
        assert!((found..found + 30).contains(&said), "{files:?} have {found} lines, the table says {said}");
        all += found;
        told.extend(files);
    }
    assert!(all <= 4_500, "{all} lines");
    told.sort();
    let is_judge = |path: &&str| path.starts_with("proof/") || path.starts_with("solver/");
    let sources = sources();
    let inside = || sources.iter().filter_map(|(path, code)| Some((path.strip_prefix(BASE)?, code)));
    let there: Vec<&str> = inside().map(|(path, _)| path).filter(is_judge).collect();
    assert_eq!(told, there);
    for (path, code) in inside().filter(|(path, _)| is_judge(path)) {
        assert!(!code.contains("oracle"), "{path} uses an evaluator");
    }
}
