//! The folder of a question that was cut: its manifest, its cubes, the results. Everything that reads or writes it is here.
//!
//! A result appears whole or not at all: it is written beside its place, under a name that nobody else uses, and gets its own
//! name when every byte is on the disk. The first worker that has a winner files it; another one on the same cube finds it
//! there, and says so if it came to another winner. A result says which question it belongs to, by a hash of the question's
//! text and the program's version, and one that belongs to another is refused.

use super::answer::Subject;
use super::exit::Failure;
use gamesat::Problem;
use gamesat::format::{self, Format, Parsed, ReadOptions};
use gamesat::formula::{Lit, Player, Var};
use gamesat::split::{Cutting, Node, Tree, Won};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");

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
    hash: String,
}

/// What is known about a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing yet.
    Open,
    /// Somebody tried, and ran into a limit.
    Tried(String),
    /// The winner, and elements that suffice.
    Won(Won),
}

impl Found {
    /// The winner, if there is one.
    pub fn won(&self) -> Option<&Won> {
        match self {
            Found::Won(won) => Some(won),
            _ => None,
        }
    }
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Failure + '_ {
    move |error| Failure::input(format!("{}: {error}", path.display()))
}

/// FNV-1a in 128 bits: enough to tell questions apart, not to keep secrets.
fn fnv(text: &str) -> u128 {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in text.bytes() {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    hash
}

fn hash(text: &str) -> String {
    format!("{:032x}", fnv(text))
}

/// A sum over what a result says, so that a byte that was spoilt does not change a verdict.
fn sum(result: &Value) -> String {
    let fields = ["hash", "cube", "winner", "stopped", "proof", "trace"].map(|field| result[field].to_string());
    hash(&fields.join(" "))
}

/// Writes a file as a whole, whatever was there before.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    beside(path, bytes, |from| fs::rename(from, path)).map_err(failed(path))
}

/// Writes a file as a whole if there is none of its name. False if there is one, which stays as it is.
fn write_first(path: &Path, bytes: &[u8]) -> Result<bool, Failure> {
    match beside(path, bytes, |from| fs::hard_link(from, path)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(path)(error)),
    }
}

/// Writes the bytes to a file beside the path, lets it be put into its place, and leaves nothing else behind. Workers on
/// several machines may share the folder: no process number makes a name that is nobody else's. Should somebody
/// [tidy](Manifest::tidy) the file away before it is in its place, it is written again.
fn beside(path: &Path, bytes: &[u8], place: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut attempts = 3;
    loop {
        let lot = RandomState::new().build_hasher().finish();
        let beside = path.with_file_name(format!(".{name}.{}.{lot:016x}", std::process::id()));
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

fn player(value: &Value) -> Option<Player> {
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
        let (folder, hash, format) = (folder.to_owned(), hash(&text), parsed.format);
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
        let manifest = json!({
            "version": VERSION,
            "hash": self.hash,
            "format": self.format.name(),
            "header": self.header.map(|(vars, clauses)| [vars, clauses]),
            "options": { "cubes": self.cutting.cubes, "look_ahead": self.cutting.look_ahead,
                "proofs": self.cutting.every_move },
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
        let options = &value["options"];
        let cutting = (|| {
            let (cubes, look_ahead) = (index(&options["cubes"])?, options["look_ahead"].as_u64()?);
            Some(Cutting { cubes, look_ahead, every_move: options["proofs"].as_bool()? })
        })();
        let cutting = cutting.ok_or_else(|| wrong("it does not say how the question was cut"))?;
        let (folder, hash) = (folder.to_owned(), hash(&text));
        let header = (|| Some((index(&value["header"][0])?, index(&value["header"][1])?)))();
        Ok(Manifest { folder, text, format, tree, cutting, header, hash })
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

    /// A name for what is asked here, by this program and in some manner.
    pub fn name(&self, manner: &str) -> u128 {
        fnv(&format!("{VERSION} {} {manner}", self.hash))
    }

    /// A winner in words: of a formula it is said whether it is true.
    pub fn says(&self, winner: Player) -> String {
        match (self.header, winner) {
            (Some(_), Player::Max) => "true".to_owned(),
            (Some(_), Player::Min) => "false".to_owned(),
            (None, winner) => format!("{winner} wins"),
        }
    }

    /// The place of the whole question, behind those of the cubes: whoever answers it needs no cube.
    pub fn whole(&self) -> usize {
        self.tree.cubes.len()
    }

    /// The number that users see: the whole question is 0, as more cubes may come.
    fn number(&self, cube: usize) -> usize {
        if cube == self.whole() { 0 } else { cube + 1 }
    }

    fn result_path(&self, cube: usize) -> PathBuf {
        self.folder.join("results").join(format!("{}.json", self.number(cube)))
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
        if value["hash"] != self.hash.as_str() || value["version"] != VERSION || value["cube"] != self.number(cube) {
            return Err(wrong("it belongs to another question, cube or version"));
        }
        if value["sum"] != sum(&value) {
            return Err(wrong("it was changed: its sum is another one"));
        }
        let element = |value: &Value| i32::try_from(value.as_u64()?).ok().filter(|&e| e > 0).map(Var::from_dimacs);
        let trace = match value["trace"].as_array() {
            Some(list) => {
                let elements: Option<Vec<Var>> = list.iter().map(element).collect();
                Some(elements.ok_or_else(|| wrong("its trace is none"))?)
            }
            None => None,
        };
        Ok(match (player(&value["winner"]), value["stopped"].as_str()) {
            (Some(winner), _) => Found::Won(Won { winner, trace }),
            (None, Some(reason)) => Found::Tried(reason.to_owned()),
            (None, None) => return Err(wrong("it has no winner")),
        })
    }

    /// What is known about all cubes, and behind them about the whole question.
    pub fn all_found(&self) -> Result<Vec<Found>, Failure> {
        (0..=self.whole()).map(|cube| self.found(cube)).collect()
    }

    /// The cubes that are not solved and whose answer can still matter, ascending. A proof of the whole needs what traces
    /// would spare.
    pub fn needed(&self, found: &[Found]) -> Vec<usize> {
        self.tree.needed(&self.won(found))
    }

    /// What decides.
    pub fn won(&self, found: &[Found]) -> Vec<Option<Won>> {
        let spares = !self.cutting.every_move;
        let kept = |won: &Won| Won { winner: won.winner, trace: won.trace.clone().filter(|_| spares) };
        found.iter().map(|found| found.won().map(kept)).collect()
    }

    /// Files what was found about a cube, and its proof before it. Whoever comes second changes nothing.
    pub fn file(
        &self,
        cube: usize,
        found: &Found,
        proof: Option<&[u8]>,
        seconds: f64,
        nodes: u64,
    ) -> Result<(), Failure> {
        let (won, stopped) = match found {
            Found::Won(won) => (Some(won), None),
            Found::Tried(reason) => (None, Some(reason)),
            Found::Open => return Ok(()),
        };
        let agrees = |before: &Found| match (before.won(), won) {
            (Some(before), Some(now)) if before.winner != now.winner => Err(Failure::input(format!(
                "CONTRADICTION: {}: {} before, and now {}",
                self.result_path(cube).display(),
                self.says(before.winner),
                self.says(now.winner)
            ))),
            _ => Ok(()),
        };
        let before = self.found(cube)?;
        agrees(&before)?;
        if let Some(proof) = proof {
            write(&self.proof_path(cube), proof)?;
        }
        let trace = won.and_then(|won| won.trace.as_ref());
        let trace = trace.map(|trace| trace.iter().map(|var| var.index() + 1).collect::<Vec<_>>());
        let mut result = json!({ "version": VERSION, "hash": self.hash, "cube": self.number(cube),
            "winner": won.map(|won| won.winner.to_string()), "stopped": stopped, "seconds": seconds, "nodes": nodes,
            "proof": proof.is_some(), "trace": trace });
        result["sum"] = json!(sum(&result));
        let bytes = format!("{result:#}\n").into_bytes();
        // A winner takes the place of an attempt, and of a winner without a proof; nothing takes that of a winner.
        let (path, better) = (self.result_path(cube), before.won().is_none() || proof.is_some());
        if before != Found::Open && won.is_some() && better {
            return write(&path, &bytes);
        }
        if write_first(&path, &bytes)? {
            return Ok(());
        }
        let other = self.found(cube)?;
        agrees(&other)?;
        if other.won().is_none() && won.is_some() { write(&path, &bytes) } else { Ok(()) }
    }

    /// Removes what workers that were killed have left half-written; to be called once the answer is known.
    pub fn tidy(&self) {
        // What workers have told each other.
        let _ = fs::remove_dir_all(self.folder.join("workers"));
        let Ok(entries) = fs::read_dir(self.folder.join("results")) else { return };
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with('.') {
                // Whoever cannot write here has nothing to tidy.
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
