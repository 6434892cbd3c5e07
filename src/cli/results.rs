//! What is found out about cubes, filed in the folder of the question: results, and proofs beside them.
//!
//! The first worker that has a winner files it; another one on the same cube finds it there, and says so if it came to another
//! winner. A result names what it is about, by the digest of the problem and the moves of its cube, and its proof by the digest
//! of that; a digest of all of it shows what was changed by accident. It shows nothing of what was changed on purpose, together
//! with the digest: where there is a proof, the proof is to be judged.

use super::cubes::{Manifest, VERSION, digest, failed, player, unique_word, write, write_first};
use super::exit::Failure;
use super::output;
use gamesat::formula::Var;
use gamesat::split::Won;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// How often a result and its proof are written again, because another worker has filed its own at the same time.
const ATTEMPTS: u32 = 16;

/// What is known about a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing yet.
    Open,
    /// A worker tried, and ran into a limit.
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

/// A result as it is filed.
struct Filed {
    found: Found,
    /// The digest of its proof.
    proof: Option<String>,
}

/// Why a file cannot be what it should be.
type Flaw = String;

/// The digest of what a result says.
fn sum(result: &Value) -> String {
    let said = ["version", "hash", "cube", "moves", "winner", "stopped", "proof", "trace"];
    digest(Value::from(said.map(|field| result[field].clone()).to_vec()).to_string().as_bytes())
}

/// The bytes of a file; nothing if there is none.
fn bytes(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path)(error)),
    }
}

impl Manifest {
    /// The place of the whole question, behind those of the cubes: a worker that answers it needs no cube.
    pub fn whole(&self) -> usize {
        self.tree.cubes.len()
    }

    /// The number that users see: the whole question is 0, as more cubes may come.
    fn number(&self, cube: usize) -> usize {
        if cube == self.whole() { 0 } else { cube + 1 }
    }

    /// The moves that lead to a cube.
    fn moves(&self, cube: usize) -> Value {
        self.tree.cubes.get(cube).map_or(json!([]), |cube| cube.iter().map(|lit| lit.to_dimacs()).collect())
    }

    /// Where the result of a cube is.
    pub fn result_path(&self, cube: usize) -> PathBuf {
        self.folder().join("results").join(format!("{}.json", self.number(cube)))
    }

    /// Where the proof of a cube is.
    pub fn proof_path(&self, cube: usize) -> PathBuf {
        self.folder().join("results").join(format!("{}.proof", self.number(cube)))
    }

    /// What is filed about a cube, or what is wrong with it.
    fn read(&self, cube: usize) -> Result<Result<Filed, Flaw>, Failure> {
        Ok(match bytes(&self.result_path(cube))? {
            Some(bytes) => self.parse(cube, &bytes),
            None => Ok(Filed { found: Found::Open, proof: None }),
        })
    }

    fn parse(&self, cube: usize, bytes: &[u8]) -> Result<Filed, Flaw> {
        let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if value["version"] != VERSION
            || value["hash"] != self.hash.as_str()
            || value["cube"] != self.number(cube)
            || value["moves"] != self.moves(cube)
        {
            return Err("it belongs to another question, cube or version".to_owned());
        }
        if value["sum"] != sum(&value) {
            return Err("checksum mismatch: it was changed".to_owned());
        }
        let element = |value: &Value| i32::try_from(value.as_u64()?).ok().filter(|&e| e > 0).map(Var::from_dimacs);
        let trace = match value["trace"].as_array() {
            Some(list) => {
                let elements: Option<Vec<Var>> = list.iter().map(element).collect();
                Some(elements.ok_or("expected a trace of elements")?)
            }
            None => None,
        };
        let found = match (player(&value["winner"]), value["stopped"].as_str()) {
            // Where every cube is to have its proof, the answer to the whole comes from the cubes.
            (Some(_), _) if cube == self.whole() && self.cutting.every_move => {
                return Err("the question was cut for proofs, and this answer to the whole of it has none".to_owned());
            }
            (Some(winner), _) => Found::Won(Won { winner, trace }),
            (None, Some(reason)) => Found::Tried(reason.to_owned()),
            (None, None) => return Err("expected a winner".to_owned()),
        };
        Ok(Filed { found, proof: value["proof"].as_str().map(str::to_owned) })
    }

    /// What is known about a cube.
    pub fn found(&self, cube: usize) -> Result<Found, Failure> {
        self.read(cube)?.map(|filed| filed.found).map_err(|flaw| Failure::input(self.complaint(cube, &flaw)))
    }

    /// What is wrong with the result of a cube, aloud.
    pub fn complaint(&self, cube: usize, flaw: &str) -> String {
        format!("WRONG RESULT: {}: {flaw}", self.result_path(cube).display())
    }

    /// What is known about all cubes, and behind them about the whole question. All results that are wrong are named.
    pub fn all_found(&self) -> Result<Vec<Found>, Failure> {
        let (mut found, mut complaints) = (Vec::new(), Vec::new());
        for cube in 0..=self.whole() {
            match self.read(cube)? {
                Ok(filed) => found.push(filed.found),
                Err(flaw) => complaints.push(self.complaint(cube, &flaw)),
            }
        }
        if complaints.is_empty() { Ok(found) } else { Err(Failure::input(complaints.join("\n"))) }
    }

    /// What is known about a cube, for a worker: a result that is wrong is set aside, so that the cube is solved again.
    fn believed(&self, cube: usize) -> Result<Filed, Failure> {
        match self.read(cube)? {
            Ok(filed) => Ok(filed),
            Err(flaw) => {
                self.set_aside(cube, &flaw)?;
                Ok(Filed { found: Found::Open, proof: None })
            }
        }
    }

    /// The same about all cubes, and behind them about the whole question.
    pub fn all_believed(&self) -> Result<Vec<Found>, Failure> {
        (0..=self.whole()).map(|cube| Ok(self.believed(cube)?.found)).collect()
    }

    /// Renames a result that is wrong, and its proof: nothing is lost that could tell what happened.
    fn set_aside(&self, cube: usize, flaw: &str) -> Result<(), Failure> {
        let lot = unique_word();
        for path in [self.result_path(cube), self.proof_path(cube)] {
            let mut aside = path.clone().into_os_string();
            aside.push(format!(".wrong-{lot}"));
            match fs::rename(&path, &aside) {
                Ok(()) => output::diagnose(&format!("c {}: {flaw}; set aside as {}", path.display(), aside.display())),
                // Another worker was quicker, or there was no proof.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(&path)(error)),
            }
        }
        Ok(())
    }

    /// Whether the proof of a cube is there, and is the one that its result names.
    fn has_proof(&self, cube: usize, filed: &Filed) -> Result<bool, Failure> {
        if filed.proof.is_none() {
            return Ok(false);
        }
        Ok(filed.proof == bytes(&self.proof_path(cube))?.map(|bytes| digest(&bytes)))
    }

    /// Whether a cube is solved, with the proof that its result names.
    pub fn is_proven(&self, cube: usize) -> Result<bool, Failure> {
        let filed = self.believed(cube)?;
        Ok(filed.found.won().is_some() && self.has_proof(cube, &filed)?)
    }

    /// Sets results aside that name another proof than the one beside them.
    pub fn set_aside_other_proofs(&self) -> Result<(), Failure> {
        for cube in 0..self.whole() {
            let filed = self.believed(cube)?;
            if filed.proof.is_some() && self.proof_path(cube).exists() && !self.has_proof(cube, &filed)? {
                self.set_aside(cube, "its proof is not the one that it names")?;
            }
        }
        Ok(())
    }

    /// The proof of a cube as it is on the disk, to be judged; nothing if there is none.
    ///
    /// # Errors
    /// It cannot be read. Inside, it is not the one that the result names.
    pub fn proof(&self, cube: usize) -> Result<Result<Option<Vec<u8>>, Flaw>, Failure> {
        let named = self.read(cube)?.ok().and_then(|filed| filed.proof);
        let there = bytes(&self.proof_path(cube))?;
        Ok(match (named, &there) {
            (Some(named), Some(bytes)) if named != digest(bytes) => {
                Err("it is not the proof that the result names".to_owned())
            }
            _ => Ok(there),
        })
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

    /// Files what was found about a cube, and its proof before it. The second of two workers changes nothing.
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
        let trace = won.and_then(|won| won.trace.as_ref());
        let trace = trace.map(|trace| trace.iter().map(|var| var.index() + 1).collect::<Vec<_>>());
        let mut result = json!({ "version": VERSION, "hash": self.hash, "cube": self.number(cube),
            "moves": self.moves(cube), "winner": won.map(|won| won.winner.to_string()), "stopped": stopped,
            "seconds": seconds, "nodes": nodes, "proof": proof.map(digest), "trace": trace });
        result["sum"] = json!(sum(&result));
        let result = format!("{result:#}\n").into_bytes();
        let path = self.result_path(cube);
        // Two files cannot be put in place at once. The worker that wrote last looks whether they belong together: of several
        // that file at the same time, the last one leaves its own pair.
        for _ in 0..ATTEMPTS {
            let before = self.believed(cube)?;
            let is_better = match (before.found.won(), won) {
                (Some(before), Some(now)) if before.winner != now.winner => {
                    return Err(Failure::input(format!(
                        "CONTRADICTION: {}: {} before, and now {}",
                        path.display(),
                        self.says(before.winner),
                        self.says(now.winner)
                    )));
                }
                // Nothing takes the place of a winner but the same one with a proof.
                (Some(_), Some(_)) => proof.is_some() && !self.has_proof(cube, &before)?,
                (Some(_), None) => false,
                (None, Some(_)) => true,
                (None, None) => before.found == Found::Open,
            };
            if !is_better {
                break;
            }
            if let Some(proof) = proof {
                write(&self.proof_path(cube), proof)?;
            }
            match before.found {
                // Should there be one by now, it is looked at first.
                Found::Open => drop(write_first(&path, &result)?),
                _ => write(&path, &result)?,
            }
        }
        Ok(())
    }
}
