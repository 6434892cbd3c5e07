//! The folder of a question that was cut: its manifest, its cubes, the results. Everything that reads or writes it is here.
//!
//! A result appears whole or not at all: it is written beside its place and renamed. It says which question it belongs to, by
//! a hash of the question's text and the program's version, and one that belongs to another is refused.

use super::exit::Failure;
use gamesat::Problem;
use gamesat::format::{self, Format, ReadOptions};
use gamesat::formula::{Lit, Player};
use gamesat::split::{Node, Tree};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A question that was cut, as its folder has it.
pub struct Manifest {
    folder: PathBuf,
    /// The text of the question, in one of the formats.
    pub text: String,
    pub format: Format,
    pub tree: Tree,
    hash: String,
}

/// What is known about a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing yet.
    Open,
    /// Somebody tried, and ran into a limit.
    Tried(String),
    /// The winner.
    Won(Player),
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Failure + '_ {
    move |error| Failure::input(format!("{}: {error}", path.display()))
}

/// FNV-1a in 128 bits: enough to tell questions apart, not to keep secrets.
fn hash(text: &str) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in text.bytes() {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    format!("{hash:032x}")
}

/// Writes a file as a whole.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&beside);
        failed(path)(error)
    })
}

fn player(value: &Value) -> Option<Player> {
    match value.as_str() {
        Some("max") => Some(Player::Max),
        Some("min") => Some(Player::Min),
        _ => None,
    }
}

impl Manifest {
    /// A folder for a question that was just cut.
    pub fn create(folder: &Path, problem: &Problem, format: Format, tree: Tree) -> Result<Self, Failure> {
        fs::create_dir_all(folder.join("results")).map_err(failed(folder))?;
        let text = format::to_string(problem, format)?;
        let manifest = Manifest { folder: folder.to_owned(), hash: hash(&text), text, format, tree };
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
        let manifest = json!({
            "version": VERSION,
            "hash": self.hash,
            "format": self.format.name(),
            "cubes": cubes,
            "nodes": self.tree.nodes.iter().map(node).collect::<Vec<_>>(),
        });
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
        let problem = folder.join("problem");
        let text = fs::read_to_string(&problem).map_err(failed(&problem))?;
        if value["hash"] != hash(&text) {
            return Err(wrong("the problem beside it is another one"));
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
        let (Some(cubes), Some(nodes)) = (cubes, nodes) else { return Err(wrong("this is no tree")) };
        let tree = Tree { nodes, cubes };
        if !tree.is_sound() {
            return Err(wrong("this is no tree"));
        }
        Ok(Manifest { folder: folder.to_owned(), hash: hash(&text), text, format, tree })
    }

    /// The question.
    pub fn problem(&self) -> Result<Problem, Failure> {
        let options = ReadOptions { format: Some(self.format), ..ReadOptions::default() };
        Ok(format::read(&mut self.text.as_bytes(), "problem", &options)?.problem)
    }

    /// Whether this is the question that was cut.
    pub fn is_of(&self, problem: &Problem) -> bool {
        format::to_string(problem, self.format).is_ok_and(|text| hash(&text) == self.hash)
    }

    fn result_path(&self, cube: usize) -> PathBuf {
        self.folder.join("results").join(format!("{}.json", cube + 1))
    }

    /// Where the proof of a cube is.
    pub fn proof_path(&self, cube: usize) -> PathBuf {
        self.folder.join("results").join(format!("{}.proof", cube + 1))
    }

    /// What is known about a cube.
    pub fn found(&self, cube: usize) -> Result<Found, Failure> {
        let path = self.result_path(cube);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Open),
            Err(error) => return Err(failed(&path)(error)),
        };
        let wrong = |what: &str| Failure::input(format!("WRONG RESULT: {}: {what}", path.display()));
        let value: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        if value["hash"] != self.hash.as_str() || value["version"] != VERSION || value["cube"] != cube + 1 {
            return Err(wrong("it belongs to another question, cube or version"));
        }
        Ok(match (player(&value["winner"]), value["stopped"].as_str()) {
            (Some(winner), _) => Found::Won(winner),
            (None, Some(reason)) => Found::Tried(reason.to_owned()),
            (None, None) => return Err(wrong("it has no winner")),
        })
    }

    /// What is known about all cubes.
    pub fn all_found(&self) -> Result<Vec<Found>, Failure> {
        (0..self.tree.cubes.len()).map(|cube| self.found(cube)).collect()
    }

    /// Files what was found about a cube, and its proof before it.
    pub fn file(
        &self,
        cube: usize,
        found: &Found,
        proof: Option<&[u8]>,
        seconds: f64,
        nodes: u64,
    ) -> Result<(), Failure> {
        if let (Found::Won(before), Found::Won(now)) = (self.found(cube)?, found)
            && before != *now
        {
            let path = self.result_path(cube);
            return Err(Failure::input(format!(
                "CONTRADICTION: {}: {before} has won before, and now {now}",
                path.display()
            )));
        }
        if let Some(proof) = proof {
            write(&self.proof_path(cube), proof)?;
        }
        let (winner, stopped) = match found {
            Found::Won(winner) => (Some(winner.to_string()), None),
            Found::Tried(reason) => (None, Some(reason)),
            Found::Open => return Ok(()),
        };
        let result = json!({ "version": VERSION, "hash": self.hash, "cube": cube + 1, "winner": winner, "stopped": stopped,
            "seconds": seconds, "nodes": nodes, "proof": proof.is_some() });
        write(&self.result_path(cube), format!("{result:#}\n").as_bytes())
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
