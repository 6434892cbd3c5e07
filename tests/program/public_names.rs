//! The documented surface of the library: the names that `src/lib.rs` makes public, and those that its public modules
//! re-export or declare, compared with `tests/data/public_names.txt`. A deliberate change is recorded with
//! `GAMESAT_BLESS=1 cargo test public_names`.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The statements of a source text outside of bodies that begin with `pub`, without hidden ones.
fn public_statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut depth = 0;
    let mut hidden = false;
    let mut open: Option<String> = None;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("//") || line.starts_with("#![") || line.is_empty() {
            continue;
        }
        if depth == 0 && open.is_none() && line.starts_with("#[") {
            hidden |=
                line.starts_with("#[doc(hidden)]") || line.starts_with("#[cfg(test)]") || line.contains("doctest");
            continue;
        }
        let before = depth;
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        match &mut open {
            Some(statement) => {
                statement.push('\n');
                statement.push_str(line);
            }
            None if before == 0 => open = Some(line.to_owned()),
            None => {}
        }
        if depth == 0
            && let Some(statement) = open.take()
        {
            if !(statement.ends_with(';') || statement.ends_with('}')) {
                open = Some(statement);
                continue;
            }
            if statement.starts_with("pub ") && !hidden {
                statements.push(statement);
            }
            hidden = false;
        }
    }
    statements
}

/// The names that a statement declares or re-exports.
fn names(statement: &str) -> Vec<String> {
    let words: Vec<&str> =
        statement.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    if words.get(1) == Some(&"use") {
        let list = statement.rsplit_once("::").map_or(statement, |(_, list)| list);
        let list = list.trim_matches(|c| "{}; ".contains(c));
        return list
            .split(',')
            .map(|name| name.rsplit(" as ").next().unwrap_or(name).trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
    }
    let kinds = ["mod", "fn", "struct", "enum", "trait", "type", "const", "static"];
    let at = words.iter().position(|word| kinds.contains(word));
    at.and_then(|at| words.get(at + 1)).map(|name| (*name).to_owned()).into_iter().collect()
}

/// The file of a module, given the folder in which its parent keeps its children.
fn source_of(folder: &Path, module: &str) -> String {
    let inner = folder.join(module).join("mod.rs");
    let path = if inner.exists() { inner } else { folder.join(format!("{module}.rs")) };
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every name that a module makes public, and those of its public modules.
fn collect(text: &str, folder: &Path, path: &str, found: &mut Vec<String>) {
    for statement in public_statements(text) {
        for name in names(&statement) {
            let full = format!("{path}{name}");
            if statement.starts_with("pub mod") {
                let inside = format!("{full}::");
                match statement.split_once("{\n") {
                    Some((_, body)) => collect(body, folder, &inside, found),
                    None => collect(&source_of(folder, &name), &folder.join(&name), &inside, found),
                }
            }
            found.push(full);
        }
    }
}

#[test]
fn public_names_are_the_listed_ones() {
    let mut found = Vec::new();
    let source = root().join("src");
    collect(&fs::read_to_string(source.join("lib.rs")).unwrap(), &source, "", &mut found);
    found.sort();
    found.dedup();
    let text = found.join("\n") + "\n";
    let path = root().join("tests/data/public_names.txt");
    if std::env::var_os("GAMESAT_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(found.len() > 80, "{found:?}");
    assert_eq!(text, fs::read_to_string(&path).unwrap(), "the public names have changed");
}
