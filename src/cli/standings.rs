//! What workers on one folder tell each other: where each of them stands, in a file of its own under `workers`.
//!
//! It is advice and nothing else: no verdict comes from it, and what cannot be read, or was left behind by a worker that was
//! killed, changes at most the order in which cubes are solved.

use super::cubes::Manifest;
use super::exit::Failure;
use gamesat::split::Standing;
use serde_json::{Value, json};
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

/// The file of one worker, which goes away with it.
pub struct Notice {
    path: PathBuf,
}

impl Notice {
    /// A place among the others in the folder.
    pub fn new(manifest: &Manifest) -> Result<Self, Failure> {
        let folder = manifest.folder().join("workers");
        fs::create_dir_all(&folder).map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
        // Workers on several machines may share the folder: no process number makes a name that is nobody else's.
        let lot = RandomState::new().build_hasher().finish();
        Ok(Notice { path: folder.join(format!("{lot:016x}.json")) })
    }

    /// Tells the others what was begun.
    pub fn tell(&self, standings: &[Standing]) -> Result<(), Failure> {
        let begun = standings.iter().enumerate().filter(|(_, standing)| standing.work > 0 || standing.busy);
        let line = |(cube, standing): (usize, &Standing)| {
            json!([cube + 1, standing.work, standing.numbers.0, standing.numbers.1, standing.busy])
        };
        let value: Vec<Value> = begun.map(line).collect();
        // As a whole, but nobody needs it on the disk after a crash.
        let beside = self.path.with_extension("new");
        let written = fs::write(&beside, format!("{}\n", Value::from(value)));
        written
            .and_then(|()| fs::rename(&beside, &self.path))
            .map_err(|error| Failure::input(format!("{}: {error}", self.path.display())))
    }

    /// What the others have told.
    pub fn others(&self, cubes: usize) -> Vec<Vec<Standing>> {
        let Some(entries) = self.path.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| *path != self.path && path.extension().is_some_and(|end| end == "json"));
        paths.sort_unstable();
        let told = |path: &PathBuf| {
            let value: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
            let mut standings = vec![Standing::default(); cubes];
            for line in value.as_array()? {
                let number = |at: usize| line[at].as_u64();
                let small = |at: usize| u32::try_from(number(at)?).ok();
                let place = (number(0)? as usize).checked_sub(1)?;
                *standings.get_mut(place)? =
                    Standing { work: number(1)?, numbers: (small(2)?, small(3)?), busy: line[4].as_bool()? };
            }
            Some(standings)
        };
        paths.iter().filter_map(told).collect()
    }
}

impl Drop for Notice {
    fn drop(&mut self) {
        // Whoever cannot remove it leaves advice that nobody needs.
        let _ = fs::remove_file(&self.path);
    }
}
