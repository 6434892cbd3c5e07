//! What workers on one question tell each other, as bytes: a file that grows at its end.
//!
//! It begins with a name for what was asked, by which program and with which switches; whoever was asked something else does not
//! read on. Then one *entry* after the other, each with its length and a sum over its bytes before it: one that is half there is
//! waited for, and from one whose sum is wrong on nothing of the file is believed. An entry holds positions with what was found out
//! about them, the way from the root on which the worker is (what it has in common with the one before is not repeated), and
//! the cube that it is at.

pub use gamesat_games::graph::{Fact, News, Told};

/// What a file begins with, before the name.
const OPENING: &[u8; 8] = b"gsnews1\n";
/// Bytes before the first entry.
const START: usize = 8 + 16;
/// Bytes before what an entry says.
const HEAD: usize = 12;
/// No entry is longer.
const LONGEST: usize = 1 << 20;
/// How often an entry whose sum is wrong is read again: it may have been on its way.
const PATIENCE: u32 = 16;
/// Positions in one entry: a position takes 53 bytes at most.
const MOST_FACTS: usize = 10_000;
/// No way is longer than the board has cells.
const LONGEST_WAY: usize = 4096;

/// What a worker tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bulletin {
    /// What it has found out.
    pub news: News,
    /// The cube that it is at.
    pub cube: Option<u32>,
}

/// FNV-1a.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Makes the bytes of a file.
#[derive(Debug)]
pub struct Writer {
    name: u128,
    /// The last way and cube that were told; nothing was told yet.
    last: Option<(Vec<u128>, Option<u32>)>,
}

impl Writer {
    /// For what has this name.
    pub fn new(name: u128) -> Self {
        Writer { name, last: None }
    }

    /// Bytes to be added at the end of the file: none if there is nothing new.
    pub fn write(&mut self, bulletin: &Bulletin) -> Vec<u8> {
        let mut bytes = Vec::new();
        let path = &bulletin.news.path[..bulletin.news.path.len().min(LONGEST_WAY)];
        let (before, cube) = match self.last.take() {
            Some(last) => last,
            None => {
                bytes.extend_from_slice(OPENING);
                bytes.extend_from_slice(&self.name.to_le_bytes());
                (Vec::new(), None)
            }
        };
        let mut pieces = bulletin.news.facts.chunks(MOST_FACTS);
        let mut common = before.iter().zip(path).take_while(|(one, other)| one == other).count();
        let mut piece = pieces.next();
        let mut is_new = (before.as_slice(), cube) != (path, bulletin.cube);
        while is_new || piece.is_some() {
            let mut entry = Vec::new();
            let [kept, added] = [common, path.len() - common].map(|count| (count as u16).to_le_bytes());
            entry.extend_from_slice(&kept);
            entry.extend_from_slice(&added);
            path[common..].iter().for_each(|key| entry.extend_from_slice(&key.to_le_bytes()));
            entry.extend_from_slice(&bulletin.cube.map_or(0, |cube| cube.saturating_add(1)).to_le_bytes());
            piece.unwrap_or_default().iter().for_each(|fact| write_fact(fact, &mut entry));
            bytes.extend_from_slice(&(entry.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&sum(&entry).to_le_bytes());
            bytes.extend_from_slice(&entry);
            (common, is_new, piece) = (path.len(), false, pieces.next());
        }
        self.last = Some((path.to_vec(), bulletin.cube));
        bytes
    }
}

fn write_fact(fact: &Fact, entry: &mut Vec<u8>) {
    entry.extend_from_slice(&fact.key.to_le_bytes());
    entry.extend_from_slice(&fact.work.to_le_bytes());
    match fact.told {
        Told::Solved { short_wins, trace } => {
            let words = trace.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
            entry.push(u8::from(short_wins) << 4 | words as u8);
            trace[..words].iter().for_each(|word| entry.extend_from_slice(&word.to_le_bytes()));
        }
        Told::Open { phi, delta } => {
            entry.push(0xff);
            entry.extend_from_slice(&phi.to_le_bytes());
            entry.extend_from_slice(&delta.to_le_bytes());
        }
    }
}

/// What has come of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It can grow.
    Open,
    /// It is about another question, or of another program, or of one with other switches.
    Foreign,
    /// Its bytes were changed.
    Spoilt,
}

/// Reads a file of another worker, piece by piece.
#[derive(Debug)]
pub struct Reader {
    name: u128,
    state: State,
    /// Bytes that are read.
    position: u64,
    failures: u32,
    path: Vec<u128>,
}

impl Reader {
    /// For what has this name.
    pub fn new(name: u128) -> Self {
        Reader { name, state: State::Open, position: 0, failures: 0, path: Vec::new() }
    }

    /// Whether it is worth reading on.
    pub fn state(&self) -> State {
        self.state
    }

    /// Where to read on in the file.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Reads the bytes from [`Reader::position`] on, as many as there are, and gives the first whole entry.
    pub fn read(&mut self, bytes: &[u8]) -> Option<Bulletin> {
        let mut rest = bytes;
        if self.state != State::Open {
            return None;
        }
        if self.position == 0 {
            let start = rest.get(..START)?;
            if start[..8] != *OPENING || start[8..] != self.name.to_le_bytes() {
                self.state = State::Foreign;
                return None;
            }
            (rest, self.position) = (&rest[START..], START as u64);
        }
        let head = rest.get(..HEAD)?;
        let length = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
        let told = u64::from_le_bytes(head[4..].try_into().ok()?);
        if length <= LONGEST && rest.len() < HEAD + length {
            return None;
        }
        let entry = rest.get(HEAD..HEAD.saturating_add(length)).filter(|entry| length <= LONGEST && sum(entry) == told);
        match entry.and_then(|entry| self.entry(entry)) {
            Some(bulletin) => {
                self.position += (HEAD + length) as u64;
                self.failures = 0;
                Some(bulletin)
            }
            None => {
                self.failures += 1;
                if self.failures > PATIENCE {
                    self.state = State::Spoilt;
                }
                None
            }
        }
    }

    fn entry(&mut self, entry: &[u8]) -> Option<Bulletin> {
        let mut bytes = Bytes(entry);
        let [kept, added] = [bytes.take()?, bytes.take()?].map(|count| u16::from_le_bytes(count) as usize);
        if kept > self.path.len() || kept + added > LONGEST_WAY {
            return None;
        }
        let mut path = self.path[..kept].to_vec();
        for _ in 0..added {
            path.push(u128::from_le_bytes(bytes.take()?));
        }
        let cube = u32::from_le_bytes(bytes.take()?).checked_sub(1);
        let mut facts = Vec::new();
        while !bytes.0.is_empty() {
            facts.push(read_fact(&mut bytes)?);
        }
        self.path.clone_from(&path);
        Some(Bulletin { news: News { facts, path }, cube })
    }
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }
}

fn read_fact(bytes: &mut Bytes<'_>) -> Option<Fact> {
    let key = u128::from_le_bytes(bytes.take()?);
    let work = u32::from_le_bytes(bytes.take()?);
    let [kind] = bytes.take()?;
    let told = match kind {
        0xff => {
            let [phi, delta] = [bytes.take()?, bytes.take()?].map(u32::from_le_bytes);
            Told::Open { phi, delta }
        }
        kind => {
            let (words, mut trace) = (usize::from(kind & 15), [0; 4]);
            for word in trace.get_mut(..words)? {
                *word = u64::from_le_bytes(bytes.take()?);
            }
            Told::Solved { short_wins: kind >> 4 == 1, trace }
        }
    };
    (kind == 0xff || kind >> 4 <= 1).then_some(Fact { key, work, told })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bulletins() -> Vec<Bulletin> {
        let solved = |key: u128, trace: [u64; 4]| Fact {
            key,
            work: key as u32,
            told: Told::Solved { short_wins: key.is_multiple_of(2), trace },
        };
        let open = Fact { key: u128::MAX, work: 7, told: Told::Open { phi: 3, delta: u32::MAX } };
        vec![
            Bulletin { news: News { facts: vec![solved(5, [0; 4]), open], path: vec![1, 2, 3] }, cube: None },
            Bulletin { news: News { facts: vec![solved(6, [1, 0, 9, 0])], path: vec![1, 2, 4, 5] }, cube: Some(0) },
            Bulletin { news: News { facts: vec![], path: vec![1] }, cube: Some(0) },
            Bulletin { news: News { facts: vec![solved(8, [1, 2, 3, 4]); 3], path: vec![] }, cube: None },
        ]
    }

    fn all(reader: &mut Reader, bytes: &[u8]) -> Vec<Bulletin> {
        let mut read = Vec::new();
        while let Some(one) = reader.read(bytes.get(reader.position() as usize..).unwrap_or_default()) {
            read.push(one);
        }
        read
    }

    #[test]
    fn what_is_written_is_read_as_it_grows() {
        let (mut writer, mut reader) = (Writer::new(77), Reader::new(77));
        let (mut bytes, mut read) = (Vec::new(), Vec::new());
        for bulletin in bulletins() {
            let more = writer.write(&bulletin);
            assert!(
                writer
                    .write(&Bulletin { news: News { facts: vec![], ..bulletin.news.clone() }, ..bulletin })
                    .is_empty()
            );
            // Byte by byte: what is half there is waited for.
            for byte in more {
                bytes.push(byte);
                read.extend(all(&mut reader, &bytes));
            }
        }
        assert_eq!(read, bulletins());
        assert_eq!(reader.state(), State::Open);
        assert_eq!(all(&mut Reader::new(77), &bytes), bulletins());
        // Another question.
        let mut other = Reader::new(78);
        assert_eq!((all(&mut other, &bytes), other.state()), (Vec::new(), State::Foreign));
    }

    /// Whatever byte is changed, dropped or doubled: what is read is the beginning of what was written.
    #[test]
    fn spoilt_bytes_are_not_believed() {
        let mut writer = Writer::new(77);
        let bytes: Vec<u8> = bulletins().iter().flat_map(|bulletin| writer.write(bulletin)).collect();
        let whole = bulletins();
        for at in 0..bytes.len() {
            let [mut flipped, mut dropped, mut doubled] = [bytes.clone(), bytes.clone(), bytes.clone()];
            flipped[at] ^= 1 << (at % 8);
            dropped.remove(at);
            doubled.insert(at, bytes[at]);
            for spoilt in [&flipped, &dropped, &doubled, &bytes[..at].to_vec(), &[&bytes[..at], &[0; 99]].concat()] {
                let mut reader = Reader::new(77);
                let mut read = all(&mut reader, spoilt);
                (0..2 * PATIENCE).for_each(|_| read.extend(all(&mut reader, spoilt)));
                assert!(whole.starts_with(&read), "{at}: {read:?}");
            }
            let mut reader = Reader::new(77);
            (0..2 * PATIENCE).for_each(|_| drop(all(&mut reader, &flipped)));
            assert!(reader.position() < bytes.len() as u64, "{at}");
        }
    }

    #[test]
    fn long_news_are_several_entries() {
        let fact = Fact { key: 1, work: 2, told: Told::Solved { short_wins: true, trace: [1; 4] } };
        let news = News { facts: vec![fact; 2 * MOST_FACTS + 5], path: vec![4, 5] };
        let bytes = Writer::new(1).write(&Bulletin { news: news.clone(), cube: Some(3) });
        let read = all(&mut Reader::new(1), &bytes);
        assert_eq!(read.len(), 3);
        assert!(read.iter().all(|one| one.news.path == news.path && one.cube == Some(3)));
        assert_eq!(read.into_iter().flat_map(|one| one.news.facts).collect::<Vec<_>>(), news.facts);
    }
}
