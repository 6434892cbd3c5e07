//! Which cubes workers are at, so that no two of them solve the same one: a claim is a file under `workers` that only one
//! worker can create. It counts as long as its owner writes to it now and then.
//!
//! Machines that share a folder need not share a clock: how long a claim has been as it is, each worker measures by itself, from
//! when it first saw it so. A claim that has not changed for its lease no longer has an owner. It is not taken away, for another
//! worker could take the new one away by mistake, but outdone by a claim of the next generation, which again only one can create.
//! Claims save work, and nothing else rests on them: two workers on one cube come to the same result, and where no claim can be
//! written a worker goes on without.

use super::cubes::unique_word;
use super::output;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a claim counts that its owner does not renew.
const LEASE: Duration = Duration::from_secs(30);
/// How often an owner renews it.
pub const RENEWAL: Duration = Duration::from_secs(5);
/// No claim is believed to count for longer.
const LONGEST: Duration = Duration::from_secs(600);

/// The claims of one worker, and what it has seen of the others'.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    /// The file of the claim that is held now, for a [`Release`].
    held: Arc<Mutex<Option<PathBuf>>>,
    seen: BTreeMap<u32, Seen>,
    has_failed: bool,
}

/// A claim of another worker: how it looked, and since when.
#[derive(Debug)]
struct Seen {
    generation: u32,
    text: Vec<u8>,
    since: Duration,
}

/// A cube that a worker has claimed; it is released when this goes out of scope.
#[derive(Debug)]
pub struct Claim {
    file: Option<File>,
    held: Arc<Mutex<Option<PathBuf>>>,
}

/// Releases whatever its worker still holds when it goes out of scope: it belongs outside the job, which may have to be abandoned.
#[derive(Debug)]
pub struct Release(Arc<Mutex<Option<PathBuf>>>);

fn release(held: &Mutex<Option<PathBuf>>) {
    if let Some(path) = held.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // One that cannot be removed lapses.
        let _ = fs::remove_file(path);
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        release(&self.0);
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        release(&self.held);
    }
}

impl Claim {
    /// Tells the others that the owner is still there.
    pub fn renew(&self) {
        if let Some(mut file) = self.file.as_ref() {
            // On a shared file system others see what is on the disk. Without it the claim lapses, and nothing worse.
            let _ = file.write_all(b".").and_then(|()| file.sync_data());
        }
    }
}

/// The cube and the generation of a claim's file.
fn parse(name: &str) -> Option<(u32, u32)> {
    let (cube, generation) = name.strip_suffix(".claim")?.split_once('.')?;
    Some((cube.parse().ok()?, generation.parse().ok()?))
}

/// How long a claim counts, as its first line says.
fn lease(text: &[u8]) -> Duration {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let seconds = str::from_utf8(line).ok().and_then(|line| line.strip_prefix("lease ")?.parse().ok());
    seconds.map_or(LEASE, Duration::from_secs).min(LONGEST)
}

impl Claims {
    /// Claims in a folder of a question that was cut, and what releases them in the end.
    pub fn new(folder: &Path) -> (Self, Release) {
        let held = Arc::default();
        let release = Release(Arc::clone(&held));
        (Claims { folder: folder.join("workers"), held, seen: BTreeMap::new(), has_failed: false }, release)
    }

    /// Claims the first of these cubes that no other worker is at; nothing if there is none. `now` is the time since any
    /// moment, always the same one.
    pub fn take(&mut self, cubes: &[usize], now: Duration) -> Option<(usize, Claim)> {
        let latest = self.latest();
        for &cube in cubes {
            let number = u32::try_from(cube + 1).unwrap_or(u32::MAX);
            let before = latest.get(&number).copied();
            if before.is_some_and(|generation| self.counts(number, generation, now)) {
                continue;
            }
            let path = self.path(number, before.map_or(1, |generation| generation.saturating_add(1)));
            match self.create(&path) {
                Ok(Some(file)) => {
                    *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
                    if let Some(generation) = before {
                        // Only the latest one is looked at.
                        let _ = fs::remove_file(self.path(number, generation));
                    }
                    return Some((cube, Claim { file: Some(file), held: Arc::clone(&self.held) }));
                }
                // Another worker was quicker.
                Ok(None) => {}
                Err(error) => {
                    if !std::mem::replace(&mut self.has_failed, true) {
                        output::diagnose(&format!("c {}: {error}; going on without claims", path.display()));
                    }
                    return Some((cube, Claim { file: None, held: Arc::clone(&self.held) }));
                }
            }
        }
        None
    }

    fn path(&self, number: u32, generation: u32) -> PathBuf {
        self.folder.join(format!("{number}.{generation}.claim"))
    }

    /// Writes a new claim; nothing if there is one of this name.
    fn create(&self, path: &Path) -> io::Result<Option<File>> {
        fs::create_dir_all(&self.folder)?;
        let mut file = match OpenOptions::new().append(true).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            opened => opened?,
        };
        let written = writeln!(file, "lease {}\n{}", LEASE.as_secs(), unique_word()).and_then(|()| file.sync_data());
        if let Err(error) = written {
            let _ = fs::remove_file(path);
            return Err(error);
        }
        Ok(Some(file))
    }

    /// The latest generation of each cube's claims.
    fn latest(&self) -> BTreeMap<u32, u32> {
        let mut latest = BTreeMap::new();
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for (number, generation) in entries.filter_map(|entry| parse(entry.file_name().to_str()?)) {
            latest.entry(number).and_modify(|before: &mut u32| *before = generation.max(*before)).or_insert(generation);
        }
        latest
    }

    /// Whether a claim of another worker still counts.
    fn counts(&mut self, number: u32, generation: u32, now: Duration) -> bool {
        let text = match fs::read(self.path(number, generation)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
            Err(_) => Vec::new(),
        };
        let lease = lease(&text);
        match self.seen.get(&number) {
            Some(seen) if seen.generation == generation && seen.text == text => now.saturating_sub(seen.since) < lease,
            _ => {
                self.seen.insert(number, Seen { generation, text, since: now });
                !lease.is_zero()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that goes away with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            let path = std::env::temp_dir().join(format!("gamesat-claims-{}", unique_word()));
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.0.join("workers")).into_iter().flatten().flatten();
            let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn no_two_workers_claim_one_cube() {
        let folder = Folder::new();
        let [(mut one, _first), (mut other, _second), (mut third, _third)] = [(); 3].map(|()| Claims::new(&folder.0));
        let (cube, claim) = one.take(&[2, 5], seconds(0)).unwrap();
        assert_eq!(cube, 2);
        let (cube, held) = other.take(&[2, 5], seconds(0)).unwrap();
        assert_eq!(cube, 5);
        assert!(third.take(&[2, 5], seconds(0)).is_none());
        // What is released can be claimed again, and nothing is left behind in the end.
        drop(claim);
        let (cube, claim) = third.take(&[2, 5], seconds(0)).unwrap();
        assert_eq!(cube, 2);
        drop((claim, held));
        assert_eq!(folder.names(), [] as [&str; 0]);
    }

    #[test]
    fn a_claim_that_is_not_renewed_lapses() {
        let folder = Folder::new();
        let [(mut dead, _dead), (mut one, _one), (mut other, _other)] = [(); 3].map(|()| Claims::new(&folder.0));
        let (_, claim) = dead.take(&[0], seconds(0)).unwrap();
        assert!(one.take(&[0], seconds(1000)).is_none(), "it is new to this worker, whatever the time");
        assert!(other.take(&[0], seconds(7)).is_none());
        assert!(one.take(&[0], seconds(1029)).is_none());
        claim.renew();
        assert!(one.take(&[0], seconds(1035)).is_none(), "it was renewed");
        // Two find that it has lapsed: one of them gets it.
        let (cube, taken) = one.take(&[0], seconds(1066)).unwrap();
        assert_eq!((cube, folder.names()), (0, vec!["1.2.claim".to_owned()]));
        assert!(other.take(&[0], seconds(100)).is_none());
        // The worker that was thought dead changes nothing.
        claim.renew();
        drop(claim);
        assert_eq!(folder.names(), ["1.2.claim"]);
        drop(taken);
        assert_eq!(other.take(&[0], seconds(101)).map(|(cube, _)| cube), Some(0));
    }

    #[test]
    fn what_is_no_claim_keeps_no_worker_away() {
        let folder = Folder::new();
        fs::create_dir_all(folder.0.join("workers")).unwrap();
        let put = |name: &str, text: &str| fs::write(folder.0.join("workers").join(name), text).unwrap();
        put("1.claim", "");
        put("x.1.claim", "lease 100\n");
        put("1.1.news", "lease 100\n");
        // One that was cut off has the usual lease, one that says so is over at once, and none counts for years.
        put("2.1.claim", "");
        put("3.4.claim", "lease 0\n");
        put("4.1.claim", "lease 99999999999\n");
        let (mut claims, _release) = Claims::new(&folder.0);
        assert_eq!(claims.take(&[0], seconds(0)).map(|(cube, _)| cube), Some(0));
        assert!(claims.take(&[1, 3], seconds(0)).is_none());
        assert_eq!(claims.take(&[1, 3, 2], seconds(0)).map(|(cube, _)| cube), Some(2));
        assert_eq!(claims.take(&[1], seconds(31)).map(|(cube, _)| cube), Some(1));
        assert_eq!(claims.take(&[3], seconds(601)).map(|(cube, _)| cube), Some(3));
    }

    #[test]
    fn a_job_that_is_abandoned_keeps_no_claim() {
        let folder = Folder::new();
        let (mut claims, outside) = Claims::new(&folder.0);
        let (_, claim) = claims.take(&[0], seconds(0)).unwrap();
        std::mem::forget(claim);
        assert_eq!(folder.names(), ["1.1.claim"]);
        drop(outside);
        assert_eq!(folder.names(), [] as [&str; 0]);
    }

    #[test]
    fn where_no_claim_can_be_written_workers_go_on_without() {
        let folder = Folder::new();
        fs::write(folder.0.join("workers"), "").unwrap();
        let [(mut one, _one), (mut other, _other)] = [(); 2].map(|()| Claims::new(&folder.0));
        let claims = [one.take(&[4], seconds(0)), other.take(&[4], seconds(0))];
        assert!(claims.iter().all(|claim| claim.as_ref().is_some_and(|(cube, _)| *cube == 4)));
    }
}
