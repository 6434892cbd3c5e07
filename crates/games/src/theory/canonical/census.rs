//! The forms of all functions of n elements with k colours, counted.
//!
//! A function is the bit string of its values, k^n of them, in k blocks: one for each colour of the last element, which
//! are the options in that element. Every other option is put together from the blocks' own options. So with the forms of
//! all functions of n-1 elements in a table (64 KiB for five elements with two colours), each function of n elements
//! takes a few look-ups, and everything that depends on the upper blocks alone is done once for all lowest blocks.
//! Functions are counted by the set of their options' forms; what those sets mean is looked up at the end.

use super::form::{CanonicalForm, RANKS};
use super::table::{UNKNOWN, tables};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::Rule;

/// The most values of a function: 2^32 functions are counted in a minute.
const MOST_VALUES: u32 = 32;
/// Options of a block, beside those in the last element, that are looked up one by one.
const LOOKUPS: usize = 8;

/// How many functions have each form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// Forms, the most frequent first, with the number of functions.
    pub forms: Vec<(CanonicalForm, u64)>,
    /// Functions whose form is none of the sixteen.
    pub unknown: u64,
}

/// Why functions are not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CensusError {
    /// There are too many of them.
    #[error("{elements} elements with {colours} colours have {functions} functions; up to 2^{MOST_VALUES} are counted")]
    TooMany {
        /// Elements.
        elements: u32,
        /// Colours.
        colours: u32,
        /// How many functions there are, in words.
        functions: String,
    },
    /// Under rule `own` each player has one colour.
    #[error("under rule own there are two colours, one for each player")]
    Colours,
    /// A number of elements or colours that makes no game.
    #[error("at least one element and two colours")]
    TooFew,
    /// The reason to stop.
    #[error("not finished: {0}")]
    Stopped(StopReason),
}

/// Counts the forms of all functions.
///
/// # Errors
/// There are too many functions, or the run was to stop.
pub fn census(elements: u32, colours: u32, rule: Rule, control: &Control) -> Result<Census, CensusError> {
    if elements == 0 || colours < 2 {
        return Err(CensusError::TooFew);
    }
    if rule == Rule::Own && colours != 2 {
        return Err(CensusError::Colours);
    }
    let values = colours.checked_pow(elements);
    if values.is_none_or(|values| values > MOST_VALUES) {
        let functions = match values {
            Some(values) => format!("2^{values}"),
            None => format!("2^({colours}^{elements})"),
        };
        return Err(CensusError::TooMany { elements, colours, functions });
    }
    let mut ranks = vec![RANKS as u8 - 1, 0];
    for n in 1..elements {
        let level = Level::new(n, colours, rule, &ranks);
        let mut next = Vec::with_capacity(1 << colours.pow(n));
        level.each(control, |set| next.push(level.rank(set))).map_err(CensusError::Stopped)?;
        ranks = next;
    }
    let level = Level::new(elements, colours, rule, &ranks);
    let mut counts = vec![0u64; 1 << 16];
    level.each(control, |set| counts[usize::from(set)] += 1).map_err(CensusError::Stopped)?;
    let mut by_rank = [0; RANKS];
    let mut unknown = 0;
    for (set, count) in counts.into_iter().enumerate().filter(|&(_, count)| count > 0) {
        match level.rank(set as u16) {
            UNKNOWN => unknown += count,
            rank => by_rank[usize::from(rank)] += count,
        }
    }
    let all = CanonicalForm::all(rule, elements % 2 == 1);
    let mut forms: Vec<(CanonicalForm, u64)> = all.zip(by_rank).filter(|&(_, count)| count > 0).collect();
    forms.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    Ok(Census { forms, unknown })
}

/// All functions of n elements, from the ranks of those of n-1.
struct Level {
    rule: Rule,
    odd: bool,
    colours: u32,
    /// Values in a block.
    block: u32,
    /// Values in an option of a block.
    part: u32,
    /// By a function of n-1 elements: the sets of options that it makes, if it is that of the last element's colour FALSE
    /// or TRUE (with more colours there is no difference).
    sets: [Vec<u16>; 2],
    /// By a block: its options in the other elements.
    options: Vec<[u8; LOOKUPS]>,
    /// Colours of these options.
    sides: Vec<usize>,
}

impl Level {
    fn new(elements: u32, colours: u32, rule: Rule, ranks: &[u8]) -> Self {
        let block = colours.pow(elements - 1);
        let set = |side: usize| {
            // Under rule own MIN, whose options are the upper half of a set, colours FALSE.
            let shift = if rule == Rule::Own && side == 0 { 8 } else { 0 };
            let set = |&rank: &u8| 1u16.checked_shl(u32::from(rank)).map_or(0, |bit| (bit & 0xFF) << shift);
            ranks.iter().map(set).collect()
        };
        let others: Vec<(u32, u32)> =
            (0..elements - 1).flat_map(|element| (0..colours).map(move |colour| (element, colour))).collect();
        let part = if elements > 1 { colours.pow(elements - 2) } else { 0 };
        let option = |function: u64, (element, colour): (u32, u32)| {
            let with = (0..block).filter(|index| index / colours.pow(element) % colours == colour);
            with.enumerate().fold(0u8, |bits, (at, index)| bits | ((function >> index & 1) as u8) << at)
        };
        let options = (0..1u64 << block)
            .map(|function| {
                let mut all = [0; LOOKUPS];
                all.iter_mut().zip(&others).for_each(|(place, &which)| *place = option(function, which));
                all
            })
            .collect();
        let sides = others.iter().map(|&(_, colour)| colour.min(1) as usize).collect();
        Level { rule, odd: elements % 2 == 1, colours, block, part, sets: [set(0), set(1)], options, sides }
    }

    /// The rank of a function with this set of options.
    fn rank(&self, set: u16) -> u8 {
        match self.rule {
            Rule::Any => tables().any(self.odd)[usize::from(set)],
            Rule::Own => tables().own(self.odd)[usize::from(set)],
        }
    }

    /// Visits the set of options of every function, in order.
    fn each(&self, control: &Control, mut visit: impl FnMut(u16)) -> Result<(), StopReason> {
        let upper = self.block * (self.colours - 1);
        let mask = (1u64 << self.block) - 1;
        let mut rows = [[0u16; 256]; LOOKUPS];
        let mut poller = control.poller();
        for high in 0..1u64 << upper {
            if high % 256 == 0 {
                control.progress().set_steps(high, 1 << upper);
                control.progress().set_nodes(high << self.block);
                control.stop_reason(0).map_or(Ok(()), Err)?;
            }
            poller.poll(high)?;
            // 1. What the upper blocks say.
            let mut above = 0;
            for place in 1..self.colours {
                let block = (high >> (self.block * (place - 1)) & mask) as usize;
                above |= self.sets[place.min(1) as usize][block];
            }
            for (at, &side) in self.sides.iter().enumerate() {
                let mut prefix = 0usize;
                for place in (1..self.colours).rev() {
                    let block = (high >> (self.block * (place - 1)) & mask) as usize;
                    prefix = prefix << self.part | usize::from(self.options[block][at]);
                }
                let first = prefix << self.part;
                rows[at][..1 << self.part].copy_from_slice(&self.sets[side][first..first + (1 << self.part)]);
            }
            // 2. Every lowest block.
            for (options, own) in self.options.iter().zip(&self.sets[0]) {
                let mut set = above | own;
                for (row, &option) in rows.iter().zip(options) {
                    set |= row[usize::from(option)];
                }
                visit(set);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(elements: u32, colours: u32, rule: Rule) -> String {
        let census = census(elements, colours, rule, &Control::default()).unwrap();
        assert_eq!(census.unknown, 0);
        let mut forms = census.forms;
        forms.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.name().cmp(b.0.name())));
        forms.iter().map(|(form, count)| format!("{form} {count}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn all_functions_of_up_to_four_elements() {
        let any = |n| counts(n, 2, Rule::Any);
        assert_eq!(any(1), "X 2, F* 1, T* 1");
        assert_eq!(any(2), "F 5, T 5, X* 4, Z□ 2");
        assert_eq!(any(3), "X 110, T|Z□ 44, Z□|F 44, F* 25, T* 25, Z□* 8");
        assert_eq!(any(4), "Z□ 20006, F 9849, T 9849, T*||Z□|F 8096, T|Z□||F* 8096, X* 5032, T*|Z□* 2304, Z□*|F* 2304");
        let own = |n| counts(n, 2, Rule::Own);
        assert_eq!(own(1), "F* 1, T* 1, X 1, Z△ 1");
        assert_eq!(own(2), "F 4, T 4, T*|Z△ 2, X* 2, Z△* 2, Z△|F* 2");
        assert_eq!(own(3), "X 64, Z△ 64, F* 40, T* 40, T*|Z△||F 12, T|Z△* 12, T||Z△|F* 12, Z△*|F 12");
        assert_eq!(
            own(4),
            "Z△* 12848, T*|Z△ 10640, Z△|F* 10640, F 10240, T 10240, X* 8240, T*||Z△*|F 1344, T|Z△*||F* 1344"
        );
    }

    #[test]
    fn three_colours() {
        assert_eq!(counts(1, 3, Rule::Any), "X 6, F* 1, T* 1");
        assert_eq!(counts(2, 3, Rule::Any), "F 163, T 163, Z□ 102, X* 84");
    }

    #[test]
    fn too_many_functions_are_refused() {
        let refused = |elements, colours, rule| census(elements, colours, rule, &Control::default()).unwrap_err();
        assert!(refused(6, 2, Rule::Any).to_string().contains("2^64 functions"));
        assert!(refused(40, 2, Rule::Any).to_string().contains("2^(2^40) functions"));
        assert_eq!(refused(2, 3, Rule::Own), CensusError::Colours);
        assert_eq!(refused(0, 2, Rule::Own), CensusError::TooFew);
    }
}
