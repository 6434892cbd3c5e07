//! The folder of a question that was cut: its problem, its tree and its cubes. What is found out about them is filed in
//! [results](super::results).
//!
//! A file appears whole or not at all: it is written beside its place, under a name that no other process uses, and gets its own
//! name when every byte is on the disk.

use super::answer::Subject;
use super::exit::Failure;
use gamesat::Problem;
use gamesat::format::{self, Format, Parsed, ReadOptions};
use gamesat::formula::{Lit, Player};
use gamesat::split::{Cutting, Node, Tree};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A question that was cut, as its folder has it.
pub struct Manifest {
    folder: PathBuf,
    /// The text of the question, in one of the formats.
    pub text: String,
    pub format: Format,
    pub tree: Tree,
    /// How it was cut.
    pub cutting: Cutting,
    /// The numbers of variables and clauses that a formula announced; nothing for a game.
    pub header: Option<(usize, usize)>,
    /// The digest of the text.
    pub(super) hash: String,
}

/// What went wrong with a file.
pub(super) fn failed(path: &Path) -> impl Fn(io::Error) -> Failure + '_ {
    move |error| Failure::input(format!("{}: {error}", path.display()))
}

/// A name for some bytes that no other bytes have: SHA-256, in hexadecimal.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of an object's fields but that of the digest itself.
pub(super) fn checksum(object: &Value) -> String {
    let mut object = object.clone();
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove("sum");
    }
    digest(object.to_string().as_bytes())
}

/// Writes a file as a whole, whatever was there before.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    beside(path, bytes, |from| fs::rename(from, path)).map_err(failed(path))
}

/// Writes a file as a whole if there is none of its name. False if there is one, which stays as it is.
pub(super) fn write_first(path: &Path, bytes: &[u8]) -> Result<bool, Failure> {
    match beside(path, bytes, |from| fs::hard_link(from, path)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(path)(error)),
    }
}

/// A word that no other process comes up with.
pub(super) fn unique_word() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Writes the bytes to a file beside the path, lets it be put into its place, and leaves nothing else behind. Workers on
/// several machines may share the folder, so that a process number is not enough. Should another process
/// [tidy](Manifest::tidy) the file away before it is in its place, it is written again.
fn beside(path: &Path, bytes: &[u8], place: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut attempts = 3;
    loop {
        let beside = path.with_file_name(format!(".{name}.{}.{}", std::process::id(), unique_word()));
        let mut file = File::create_new(&beside)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| place(&beside));
        // After a rename nothing is left, and nothing is removed.
        let _ = fs::remove_file(&beside);
        attempts -= 1;
        match written {
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempts > 0 => {}
            written => return written,
        }
    }
}

pub(super) fn player(value: &Value) -> Option<Player> {
    match value.as_str() {
        Some("max") => Some(Player::Max),
        Some("min") => Some(Player::Min),
        _ => None,
    }
}

impl Manifest {
    /// Where a cube stands that a user names by its number, from 1 on.
    pub fn place(&self, cube: u32) -> Result<usize, Failure> {
        let most = self.tree.cubes.len();
        match (cube as usize).checked_sub(1).filter(|&place| place < most) {
            Some(place) => Ok(place),
            None if most == 0 => Err(Failure::usage(format!("there is no cube {cube}: nothing was left to solve"))),
            None => Err(Failure::usage(format!("there is no cube {cube}: 1 to {most}"))),
        }
    }

    /// A folder for a question that was just cut.
    pub fn create(folder: &Path, parsed: &Parsed, cutting: Cutting, tree: Tree) -> Result<Self, Failure> {
        fs::create_dir_all(folder.join("results")).map_err(failed(folder))?;
        let (text, header) = (format::to_string(&parsed.problem, parsed.format)?, Subject::of(parsed).header());
        let (folder, hash, format) = (folder.to_owned(), digest(text.as_bytes()), parsed.format);
        let manifest = Manifest { folder, text, format, tree, cutting, header, hash };
        let folder = &manifest.folder;
        if fs::read_dir(folder.join("results")).map_err(failed(folder))?.next().is_some() {
            return Err(Failure::input(format!("{}: there are results in this folder already", folder.display())));
        }
        manifest.save()?;
        Ok(manifest)
    }

    /// Writes everything but the results.
    pub fn save(&self) -> Result<(), Failure> {
        let node = |node: &Node| match node {
            Node::Cube(cube) => json!({ "cube": cube + 1 }),
            Node::Known(winner) => json!({ "known": winner.to_string() }),
            Node::Choice(player, children) => {
                let children: Vec<Value> =
                    children.iter().map(|(lit, child)| json!([lit.to_dimacs(), child])).collect();
                json!({ "chooses": player.to_string(), "children": children })
            }
        };
        let cubes: Vec<Vec<i32>> =
            self.tree.cubes.iter().map(|cube| cube.iter().map(|lit| lit.to_dimacs()).collect()).collect();
        let mut manifest = json!({
            "version": VERSION,
            "hash": self.hash,
            "format": self.format.name(),
            "header": self.header.map(|(vars, clauses)| [vars, clauses]),
            "options": { "cubes": self.cutting.cubes, "look_ahead": self.cutting.look_ahead,
                "proofs": self.cutting.every_move },
            "cubes": cubes,
            "nodes": self.tree.nodes.iter().map(node).collect::<Vec<_>>(),
        });
        manifest["sum"] = json!(checksum(&manifest));
        let lines: String = self
            .tree
            .cubes
            .iter()
            .map(|cube| "a ".to_owned() + &cube.iter().map(|lit| format!("{lit} ")).collect::<String>() + "0\n")
            .collect();
        write(&self.folder.join("problem"), self.text.as_bytes())?;
        write(&self.folder.join("cubes"), lines.as_bytes())?;
        write(&self.folder.join("manifest.json"), format!("{manifest:#}\n").as_bytes())
    }

    /// The folder of a question that was cut.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join("manifest.json");
        let wrong = |what: &str| Failure::input(format!("{}: {what}", path.display()));
        let text = fs::read_to_string(&path).map_err(failed(&path))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        if value["version"] != VERSION {
            return Err(wrong(&format!("this was cut by version {}, and this is {VERSION}", value["version"])));
        }
        if value["sum"] != checksum(&value) {
            return Err(wrong("checksum mismatch: it was changed, or written by another build"));
        }
        let problem = folder.join("problem");
        let text = fs::read_to_string(&problem).map_err(failed(&problem))?;
        let hash = digest(text.as_bytes());
        if value["hash"] != hash {
            return Err(wrong(&format!("{} does not match this manifest", problem.display())));
        }
        let format = value["format"].as_str().and_then(Format::from_name).ok_or_else(|| wrong("unknown format"))?;
        let lit = |value: &Value| {
            value
                .as_i64()
                .and_then(|number| i32::try_from(number).ok())
                .filter(|&number| number != 0 && number != i32::MIN)
        };
        let cube = |value: &Value| -> Option<Vec<Lit>> {
            value.as_array()?.iter().map(|number| lit(number).map(Lit::from_dimacs)).collect()
        };
        let index = |value: &Value| value.as_u64().map(|number| number as usize);
        let node = |value: &Value| -> Option<Node> {
            if let Some(cube) = index(&value["cube"]) {
                return Some(Node::Cube(cube.checked_sub(1)?));
            }
            if let Some(winner) = player(&value["known"]) {
                return Some(Node::Known(winner));
            }
            let child = |pair: &Value| Some((Lit::from_dimacs(lit(&pair[0])?), index(&pair[1])?));
            let children: Option<Vec<_>> = value["children"].as_array()?.iter().map(child).collect();
            Some(Node::Choice(player(&value["chooses"])?, children?))
        };
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let cubes: Option<Vec<Vec<Lit>>> = list(&value["cubes"]).iter().map(cube).collect();
        let nodes: Option<Vec<Node>> = list(&value["nodes"]).iter().map(node).collect();
        let (Some(cubes), Some(nodes)) = (cubes, nodes) else {
            return Err(wrong("expected lists of cubes and nodes"));
        };
        let tree = Tree { nodes, cubes };
        if !tree.is_sound() {
            return Err(wrong("expected a tree: children before their parents, every cube there"));
        }
        let options = &value["options"];
        let cutting = (|| {
            let (cubes, look_ahead) = (index(&options["cubes"])?, options["look_ahead"].as_u64()?);
            Some(Cutting { cubes, look_ahead, every_move: options["proofs"].as_bool()? })
        })();
        let cutting = cutting.ok_or_else(|| wrong("it does not say how the question was cut"))?;
        let header = (|| Some((index(&value["header"][0])?, index(&value["header"][1])?)))();
        Ok(Manifest { folder: folder.to_owned(), text, format, tree, cutting, header, hash })
    }

    /// The question.
    pub fn problem(&self) -> Result<Problem, Failure> {
        let options = ReadOptions { format: Some(self.format), ..ReadOptions::default() };
        Ok(format::read(&mut self.text.as_bytes(), "problem", &options)?.problem)
    }

    /// Whether this is the question that was cut.
    pub fn is_of(&self, problem: &Problem) -> bool {
        format::to_string(problem, self.format).is_ok_and(|text| digest(text.as_bytes()) == self.hash)
    }

    /// A name for what is asked here, by this program and in some manner.
    pub fn name(&self, manner: &str) -> u128 {
        let digest = Sha256::digest(format!("{VERSION} {} {manner}", self.hash));
        digest.iter().take(16).fold(0, |name, &byte| name << 8 | u128::from(byte))
    }

    /// A winner in words: of a formula it is said whether it is true.
    pub fn says(&self, winner: Player) -> String {
        match (self.header, winner) {
            (Some(_), Player::Max) => "true".to_owned(),
            (Some(_), Player::Min) => "false".to_owned(),
            (None, winner) => format!("{winner} wins"),
        }
    }

    /// Removes what workers that were killed have left half-written; to be called once the answer is known.
    pub fn tidy(&self) {
        // What workers have told each other.
        let _ = fs::remove_dir_all(self.folder.join("workers"));
        let Ok(entries) = fs::read_dir(self.folder.join("results")) else { return };
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with('.') {
                // A process that cannot write here has nothing to tidy.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Where the folder is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Another file beside the manifest.
    pub fn write_beside(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.folder.join(name);
        write(&path, text.as_bytes())?;
        Ok(path)
    }
}
