//! Handles on the inner parts of the engine for `benchmarks/micro.rs`. Not a part of the library's interface.

use super::mask::Mask;
use super::position::{Move, Position};
use super::prepare::Prepared;
use super::table::{Table, Value};
use crate::control::{Control, StopReason};
use crate::formula::{Game, Player};
use crate::options::GameOptions;

/// A position whose literals fit into one machine word.
#[derive(Debug)]
pub struct Played {
    position: Position<1>,
}

impl Played {
    /// Prepares a game as the engine does.
    ///
    /// # Errors
    /// The game needs more than one word, or cannot be prepared.
    pub fn new(game: &Game) -> Result<Self, StopReason> {
        let options = GameOptions::default();
        let prepared = Prepared::new(game, &options)?;
        if prepared.words() > 1 {
            return Err(StopReason::Unsupported("more than one word".to_owned()));
        }
        Ok(Played { position: prepared.position(&options, &Control::default())? })
    }

    /// Makes and takes back every move once, a second move behind each; says how many moves that were.
    pub fn play_and_undo(&mut self) -> u64 {
        let mut moves = 0;
        for first in self.position.live().iter() {
            self.step(first);
            for second in self.position.live().iter() {
                self.step(second);
                self.position.pop();
                moves += 1;
            }
            self.position.pop();
            moves += 1;
        }
        moves
    }

    fn step(&mut self, element: usize) {
        self.position.push();
        self.position.play(Move::Colour(element as u16, self.position.turn() == Player::Max));
    }
}

/// A filled transposition table.
pub struct Filled {
    table: Table<1>,
    keys: Vec<(u64, u64)>,
}

impl Filled {
    /// A table of so many MiB with so many entries under pseudo-random hashes.
    pub fn new(mebibytes: usize, entries: u64) -> Self {
        let mut table = Table::new(mebibytes);
        let mix = |number: u64| number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let keys: Vec<(u64, u64)> = (0..entries).map(|number| (mix(number), mix(mix(number)))).collect();
        for (number, &key) in keys.iter().enumerate() {
            let value = Value { winner: Player::Max, trace: Mask([number as u64]), choice: None };
            table.store(key, &value, 1);
        }
        Filled { table, keys }
    }

    /// Asks for every entry, and as often for one that is not there; says how many were found.
    pub fn probe_all(&mut self) -> u64 {
        let found = |table: &mut Table<1>, key| u64::from(table.probe(key).is_some());
        self.keys
            .iter()
            .map(|&(at, check)| found(&mut self.table, (at, check)) + found(&mut self.table, (at, !check)))
            .sum()
    }
}
