//! The walls of the house: the table in `CONTRIBUTING.md` against what the source files use. Tests inside of files may look
//! wherever they like; comments, too.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file with its path from the root, and its text without comments and without tests.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("src")];
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

/// The modules of the library that a text names, as paths of files or folders.
fn used(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let words: Vec<&str> = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let module = match words[..] {
            ["Problem", ..] => "problem".to_owned(),
            ["Solver", ..] => "solve".to_owned(),
            ["engine", "", inner, ..] => format!("engine/{inner}"),
            [module, ..] => module.to_owned(),
            [] => continue,
        };
        let file = format!("src/{module}.rs");
        paths.push(if root().join(&file).exists() { file } else { format!("src/{module}") });
    }
    paths
}

#[test]
fn dependencies_point_down() {
    let storeys = storeys();
    assert!(storeys.len() > 15, "{storeys:?}");
    for room in storeys.iter().flatten() {
        assert!(root().join(room).exists(), "CONTRIBUTING.md speaks of {room}");
    }
    let mut wrong = Vec::new();
    for (path, code) in sources() {
        // The roof: it names every room.
        if ["src/lib.rs", "src/engine/mod.rs"].contains(&path.as_str()) || path.starts_with("src/cli/") {
            continue;
        }
        let Some(own) = storey(&storeys, &path) else { panic!("{path} has no place in CONTRIBUTING.md") };
        for used in used(&code) {
            match storey(&storeys, &used) {
                Some(other) if other >= own => {}
                Some(_) => wrong.push(format!("{path} uses {used}, which stands above it")),
                None => wrong.push(format!("{path} uses {used}, which has no place")),
            }
        }
        for other in ["qbf", "colouring", "graph", "sequential"] {
            let own = format!("src/engine/{other}/");
            if path.starts_with("src/engine/")
                && !path.starts_with(&own)
                && used(&code).contains(&own[..own.len() - 1].to_owned())
            {
                wrong.push(format!("{path} knows the engine {other}"));
            }
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
    let own = ["src/rules/hex.rs", "src/rules/mod.rs", "src/format/sgf.rs"];
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
