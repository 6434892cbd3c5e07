//! Smaller traces: elements are given away one by one, and the game is solved again.
//!
//! An element that is given away is coloured against the winner, whoever would have coloured it, and counts as a move that does
//! nothing. Against the hitter it hits no row, so it leaves all of them. Against the breaker it has, once everything else is
//! coloured, the colour that hits most: what is left are the rows that follow for all of its colours, the union of such rows
//! that no single colour of the element hits them all (with two colours: resolution).

use super::rows::{Row, irredundant};
use super::search::Search;
use gamesat_core::control::StopReason;
use gamesat_core::formula::{Player, Var};
use std::collections::BTreeMap;

/// Rows that may arise when an element is given away.
const MOST: usize = 1 << 12;

impl Search<'_> {
    /// A subset of the winner's trace that suffices, too, and of which no element can be given away.
    ///
    /// # Errors
    /// The reason to stop, or rows that are not affordable.
    pub fn shrink(&mut self, winner: Player, trace: &[Var]) -> Result<Vec<Var>, StopReason> {
        let (left, turn) = (self.game.uncoloured(), self.game.turn);
        let number = |var: &Var| self.board.elements.iter().position(|other| other == var);
        let mut inside: u64 = trace.iter().filter_map(number).fold(0, |mask, element| mask | 1 << element);
        let mut rows = self.board.rows.clone();
        for element in (0..self.board.elements.len()).filter(|&element| inside >> element & 1 == 0) {
            rows = self.without(&rows, element, winner)?;
        }
        for element in 0..self.board.elements.len() {
            if inside >> element & 1 == 0 {
                continue;
            }
            let fewer = self.without(&rows, element, winner)?;
            let value = self.value(&fewer, left, turn)?;
            if value.winner != winner {
                continue;
            }
            // What the new win does not need goes as well.
            let gone = inside & !value.trace & !(1 << element);
            (rows, inside) = (fewer, inside & value.trace);
            for other in (0..self.board.elements.len()).filter(|&other| gone >> other & 1 != 0) {
                rows = self.without(&rows, other, winner)?;
            }
        }
        let kept = self.board.elements.iter().enumerate().filter(|&(element, _)| inside >> element & 1 != 0);
        let mut kept: Vec<Var> = kept.map(|(_, &var)| var).collect();
        kept.sort_unstable();
        Ok(kept)
    }

    /// The rows with an element given away.
    fn without(&self, rows: &[Row], element: usize, winner: Player) -> Result<Vec<Row>, StopReason> {
        let too_many = || StopReason::Unsupported("too many rows to make the trace smaller".to_owned());
        let (with, mut kept): (Vec<&Row>, Vec<Row>) = rows.iter().fold((Vec::new(), Vec::new()), |mut both, row| {
            if row.elements >> element & 1 != 0 {
                both.0.push(row)
            } else {
                both.1.push(row.clone())
            }
            both
        });
        if winner == self.board.hitter {
            kept.extend(with.into_iter().filter_map(|row| row.struck(element)));
            return Ok(irredundant(kept));
        }
        // Unions of rows, by the colours of the element that hit all of them: those that no colour does stay.
        let mut unions: BTreeMap<(u64, Row), ()> = BTreeMap::new();
        let nothing = Row { elements: 0, hits: Vec::new() };
        unions.insert((self.board.domains[element], nothing), ());
        for row in with {
            let mask = row.mask(element);
            let rest = row.struck(element).unwrap_or_else(|| unreachable!("it is in the row"));
            let more: Vec<(u64, Row)> = unions
                .keys()
                .filter(|(colours, _)| *colours != 0 && colours & mask != *colours)
                .filter_map(|(colours, union)| Some((colours & mask, union.united(&rest, &self.board.domains)?)))
                .collect();
            unions.extend(more.into_iter().map(|union| (union, ())));
            if unions.len() > MOST {
                return Err(too_many());
            }
        }
        kept.extend(unions.into_keys().filter(|(colours, _)| *colours == 0).map(|(_, row)| row));
        Ok(irredundant(kept))
    }
}
