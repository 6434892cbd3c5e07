//! The form of a Boolean function: all positions of the game on n elements are numbers in base 3 (FALSE, TRUE,
//! uncoloured), and their forms are tabulated from the complete colourings up. Colouring an element makes the number
//! smaller, so options come first.

use super::form::{CanonicalForm, RANKS};
use super::table::{UNKNOWN, tables};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::Rule;

/// Elements up to which functions are tabulated: 3^12 positions are half a million.
pub const MOST_ELEMENTS: usize = 12;

/// The forms of all positions of a game.
#[derive(Clone, Debug)]
pub struct Tabulated {
    rule: Rule,
    elements: usize,
    /// Ranks, by position.
    ranks: Vec<u8>,
}

impl Tabulated {
    /// Tabulates the game of a function; bit `e` of a colouring is set if element `e` is TRUE.
    ///
    /// # Errors
    /// The reason to stop.
    ///
    /// # Panics
    /// If there are more than [`MOST_ELEMENTS`].
    pub fn new(
        elements: usize,
        rule: Rule,
        function: impl Fn(usize) -> bool,
        control: &Control,
    ) -> Result<Self, StopReason> {
        assert!(elements <= MOST_ELEMENTS, "too many elements to tabulate");
        let powers: Vec<usize> = (0..=elements as u32).map(|exponent| 3usize.pow(exponent)).collect();
        let mut ranks = vec![UNKNOWN; powers[elements]];
        let mut digits = vec![0u8; elements];
        let mut poller = control.poller();
        for position in 0..powers[elements] {
            poller.poll(0)?;
            let (mut sets, mut free, mut unknown) = ([0u8; 2], 0usize, false);
            for element in (0..elements).filter(|&element| digits[element] == 2) {
                free += 1;
                for (side, below) in [(0, powers[element]), (1, 2 * powers[element])] {
                    let rank = ranks[position - below];
                    unknown |= rank == UNKNOWN;
                    sets[side] |= 1u8.checked_shl(u32::from(rank)).unwrap_or(0);
                }
            }
            ranks[position] = if free == 0 {
                let colouring = digits.iter().enumerate().fold(0, |bits, (e, &digit)| bits | usize::from(digit) << e);
                if function(colouring) { 0 } else { RANKS as u8 - 1 }
            } else if unknown {
                UNKNOWN
            } else {
                tables().rank(rule, free % 2 == 1, sets[0], sets[1]).unwrap_or(UNKNOWN)
            };
            // Count on.
            for digit in &mut digits {
                *digit = (*digit + 1) % 3;
                if *digit != 0 {
                    break;
                }
            }
        }
        Ok(Tabulated { rule, elements, ranks })
    }

    /// The form of the game; `None` if it, or a position on the way to it, has none of the sixteen.
    pub fn form(&self) -> Option<CanonicalForm> {
        self.at(self.ranks.len() - 1, self.elements)
    }

    /// The form of the game after one element got a colour.
    pub fn after(&self, element: usize, colour: bool) -> Option<CanonicalForm> {
        let below = 3usize.pow(element as u32) * if colour { 1 } else { 2 };
        self.at(self.ranks.len() - 1 - below, self.elements - 1)
    }

    fn at(&self, position: usize, free: usize) -> Option<CanonicalForm> {
        let rank = self.ranks[position];
        (rank != UNKNOWN).then(|| CanonicalForm::new(self.rule, free % 2 == 1, rank))
    }
}

/// Positions that are tabulated for a game with more colours.
const MOST_POSITIONS: usize = 1 << 22;

/// The form of a game under rule `any` whose elements have these numbers of colours: the positions are numbers with a digit for
/// each element, its colour or, one more, that it has none. `None` if there are too many positions, or if the form is none of
/// the sixteen.
///
/// # Errors
/// The reason to stop.
pub fn coloured(
    colours: &[usize],
    function: impl Fn(&[usize]) -> bool,
    control: &Control,
) -> Result<Option<CanonicalForm>, StopReason> {
    let mut powers = vec![1usize];
    for &count in colours {
        let next = powers.last().and_then(|power| power.checked_mul(count + 1));
        match next.filter(|&next| next <= MOST_POSITIONS) {
            Some(next) => powers.push(next),
            None => return Ok(None),
        }
    }
    let positions = powers.last().copied().unwrap_or(1);
    let mut ranks = vec![UNKNOWN; positions];
    let mut digits = vec![0usize; colours.len()];
    let mut poller = control.poller();
    for position in 0..positions {
        poller.poll(0)?;
        let (mut set, mut free, mut unknown) = (0u8, 0usize, false);
        for element in (0..colours.len()).filter(|&element| digits[element] == colours[element]) {
            free += 1;
            for below in 1..=colours[element] {
                let rank = ranks[position - below * powers[element]];
                unknown |= rank == UNKNOWN;
                set |= 1u8.checked_shl(u32::from(rank)).unwrap_or(0);
            }
        }
        ranks[position] = match free {
            0 if function(&digits) => 0,
            0 => RANKS as u8 - 1,
            _ if unknown => UNKNOWN,
            _ => tables().rank(Rule::Any, free % 2 == 1, set, set).unwrap_or(UNKNOWN),
        };
        for (digit, &count) in digits.iter_mut().zip(colours) {
            *digit = (*digit + 1) % (count + 1);
            if *digit != 0 {
                break;
            }
        }
    }
    let rank = ranks[positions - 1];
    Ok((rank != UNKNOWN).then(|| CanonicalForm::new(Rule::Any, colours.len() % 2 == 1, rank)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(elements: usize, rule: Rule, function: impl Fn([bool; 4]) -> bool) -> &'static str {
        let bits = |colouring: usize| [0, 1, 2, 3].map(|e| colouring >> e & 1 != 0);
        let tabulated = Tabulated::new(elements, rule, |c| function(bits(c)), &Control::default()).unwrap();
        tabulated.form().unwrap().name()
    }

    #[test]
    fn published_examples() {
        let any = Rule::Any;
        assert_eq!(form(2, any, |[x, y, ..]| x || y), "T");
        assert_eq!(form(2, any, |[x, y, ..]| x == y), "Z□");
        assert_eq!(form(3, any, |[x, y, z, _]| x || y == z), "T|Z□");
        assert_eq!(form(4, any, |[w, x, y, z]| w || x && y == z), "T*||Z□|F");
        assert_eq!(form(4, any, |[w, x, y, z]| w && (x || y == z)), "T|Z□||F*");
        assert_eq!(form(3, any, |[x, y, z, _]| x && y == z), "Z□|F");
        assert_eq!(form(3, any, |[x, y, z, _]| x || y && z), "X");
        assert_eq!(form(4, any, |[w, x, y, z]| w && (x || y || z)), "X*");
        assert_eq!(form(3, any, |[x, y, z, _]| (x == y) == z), "Z□*");
        let own = Rule::Own;
        assert_eq!(form(2, own, |[x, y, ..]| !x || y), "T*|Z△");
        assert_eq!(form(3, own, |[x, y, z, _]| x || !y && z), "T||Z△|F*");
        assert_eq!(form(4, own, |[w, x, y, z]| w || !x && (!y || z)), "T*||Z△*|F");
        assert_eq!(form(3, own, |[x, y, z, _]| !x || !y && z), "T|Z△*");
        assert_eq!(form(4, own, |[w, x, y, z]| !w && x || !y && z), "Z△*");
        assert_eq!(form(1, own, |[x, ..]| !x), "Z△");
        assert_eq!(form(3, own, |[x, y, z, _]| x && (!y || z)), "T*|Z△||F");
        assert_eq!(form(2, own, |[x, y, ..]| !x && y), "Z△|F*");
    }

    #[test]
    fn games_without_elements_are_decided() {
        assert_eq!(form(0, Rule::Any, |_| true), "T");
        assert_eq!(form(0, Rule::Own, |_| false), "F");
    }
}
