//! The files by which workers on one folder tell each other what they have found out: one of each worker under `workers`, which
//! only its owner writes, and only at its end (see [`gamesat::split::bulletin`]).
//!
//! A worker that stops at a limit leaves its file behind, and one that is killed does as well: the next worker goes on from
//! there. What cannot be read is passed over, and a worker that cannot write goes on without telling the others. A file of megabytes holds what took most work: the larger it is, the more work it
//! takes to be told.

use super::cubes::{Manifest, unique_word};
use super::exit::Failure;
use super::output;
use gamesat::split::Worker;
use gamesat::split::bulletin::{Reader, State, Writer};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The most that is read of a file at a time.
const PIECE: u64 = 4 << 20;
/// Bytes of the own file after which it takes twice the work to be told.
const PATIENT: u64 = 16 << 20;
/// How often, in slices, the folder is looked at for workers who are new.
const ROUND: u64 = 32;

/// The file of one worker, and those of the others.
pub struct Exchange {
    folder: PathBuf,
    path: PathBuf,
    /// Nothing once it could not be written to.
    file: Option<File>,
    writer: Writer,
    written: u64,
    name: u128,
    /// Their files, each with a number.
    others: BTreeMap<PathBuf, (u64, Reader)>,
    slices: u64,
}

impl Exchange {
    /// A place among the others in the folder.
    pub fn new(manifest: &Manifest, worker: &Worker<'_>) -> Self {
        let folder = manifest.folder().join("workers");
        let path = folder.join(format!("{}.news", unique_word()));
        let name = manifest.name(worker.manner());
        let (writer, others) = (Writer::new(name), BTreeMap::new());
        let create = || OpenOptions::new().append(true).create_new(true).open(&path);
        let file = fs::create_dir_all(&folder).and_then(|()| create());
        let mut exchange = Exchange { folder, path, file: None, writer, written: 0, name, others, slices: 0 };
        match file {
            Ok(file) => exchange.file = Some(file),
            Err(error) => exchange.fall_silent(&error),
        }
        exchange
    }

    /// Tells the others what the worker has found out.
    pub fn tell(&mut self, worker: &mut Worker<'_>) {
        // Taken even if it goes nowhere: what is not taken piles up in the worker.
        let bulletin = worker.tell();
        let Some(file) = &mut self.file else { return };
        let bytes = self.writer.write(&bulletin);
        if let Err(error) = file.write_all(&bytes) {
            return self.fall_silent(&error);
        }
        let before = self.written / PATIENT;
        self.written += bytes.len() as u64;
        if self.written / PATIENT != before {
            worker.tell_from(2 << (self.written / PATIENT).min(20));
        }
    }

    /// What could not be written would have spared others some work, and no answer rests on it. Nothing may follow an entry that
    /// is half there.
    fn fall_silent(&mut self, error: &io::Error) {
        output::diagnose(&format!("c {}: {error}; going on without telling the others", self.path.display()));
        self.file = None;
    }

    /// Takes in what the others have told since.
    pub fn listen(&mut self, worker: &mut Worker<'_>) -> Result<(), Failure> {
        if self.slices.is_multiple_of(ROUND) {
            self.look_around();
        }
        self.slices += 1;
        for (path, (number, reader)) in self.others.iter_mut().filter(|(_, (_, reader))| reader.state() == State::Open)
        {
            let start = reader.position();
            let Some(bytes) = piece(path, start) else { continue };
            while let Some(told) = reader.read(bytes.get((reader.position() - start) as usize..).unwrap_or_default()) {
                if !worker.learn(*number, &told) {
                    return Err(Failure::input(format!(
                        "CONTRADICTION: {}: another worker says the opposite of what was found out here",
                        path.display()
                    )));
                }
            }
            let why = match reader.state() {
                State::Open => continue,
                State::Foreign => "it is of another question or program, or with other switches",
                State::Spoilt => "it was changed",
            };
            output::diagnose(&format!("c {}: passed over, {why}", path.display()));
        }
        Ok(())
    }

    fn look_around(&mut self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let paths = entries.flatten().map(|entry| entry.path());
        for path in paths.filter(|path| *path != self.path && path.extension().is_some_and(|end| end == "news")) {
            let number = self.others.len() as u64;
            self.others.entry(path).or_insert_with(|| (number, Reader::new(self.name)));
        }
    }

    /// The answer is known: no worker needs the file any longer.
    pub fn close(self) {
        // What cannot be removed here is what `join` removes.
        let _ = fs::remove_file(&self.path);
    }
}

/// The bytes of a file from somewhere on; `None` if there are none.
fn piece(path: &Path, position: u64) -> Option<Vec<u8>> {
    let there = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    if there <= position {
        return None;
    }
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(position)).ok()?;
    let mut bytes = Vec::new();
    file.take(PIECE).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
