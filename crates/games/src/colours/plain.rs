//! Games with elements that only one player may colour, and games with a score: does MAX get so much? (*Set Colouring Games*
//! 4.8.) These are no set colouring games in the narrow sense, so none of their theorems is used: plain search over colourings,
//! with bounds on what can still be scored, and the value by asking for one amount after the other, halving what is open.

use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Colouring, Lit, Player, Var};
use rustc_hash::FxHashMap;

/// Elements of the rows at most.
const MOST_ELEMENTS: usize = 64;
/// Positions that are remembered before all are forgotten.
const REMEMBERED: usize = 1 << 22;

/// What a game is worth.
#[derive(Clone, Debug)]
pub struct PlainValue {
    /// What MAX gets: the score, or 1 for a win and 0 for a loss.
    pub value: i64,
    /// The moves of the player to move that keep it: one, or all if they were asked for.
    pub moves: Vec<Lit>,
    /// Why there may be more such moves than these, though all were asked for.
    pub unlisted: Option<StopReason>,
}

/// A row with what it scores.
struct Row {
    /// Element and the colours that make a literal about it true.
    lits: Vec<(usize, u64)>,
    weight: i64,
}

/// A search for amounts.
pub struct Plain<'a> {
    game: &'a Colouring,
    /// Every element that is uncoloured, and then the coloured ones that occur.
    elements: Vec<Var>,
    free: usize,
    /// By player and element: what may be played there.
    choices: [Vec<u64>; 2],
    rows: Vec<Row>,
    known: FxHashMap<(Vec<u8>, Player, i64), bool>,
    poller: Poller<'a>,
    nodes: u64,
}

/// No colour yet.
const NONE: u8 = u8::MAX;

impl<'a> Plain<'a> {
    /// Prepares a game.
    ///
    /// # Errors
    /// There are too many elements.
    pub fn new(game: &'a Colouring, control: &'a Control) -> Result<Self, StopReason> {
        if game.uncoloured() > MOST_ELEMENTS {
            let why = format!("games with a score or restricted elements are searched up to {MOST_ELEMENTS} elements");
            return Err(StopReason::Unsupported(why));
        }
        let mut elements: Vec<Var> = game.free().collect();
        let free = elements.len();
        elements.extend(game.played().iter().map(|&atom| game.element(atom)));
        let numbers: FxHashMap<Var, usize> = elements.iter().enumerate().map(|(at, &var)| (var, at)).collect();
        let of = |player: Player| elements[..free].iter().map(|&var| game.choices(player, var)).collect();
        let choices = [of(Player::Max), of(Player::Min)];
        let row = |(at, row): (usize, &[Lit])| Row {
            lits: row.iter().map(|&lit| (numbers[&game.element(lit)], game.mask(lit))).collect(),
            weight: game.weights().map_or(1, |weights| weights[at]),
        };
        let rows = game.rows().iter().enumerate().map(row).collect();
        Ok(Plain {
            game,
            elements,
            free,
            choices,
            rows,
            known: FxHashMap::default(),
            poller: control.poller(),
            nodes: 0,
        })
    }

    /// Positions searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What MAX gets, with moves that keep it.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn solve(&mut self, all_moves: bool) -> Result<PlainValue, StopReason> {
        let mut colours: Vec<u8> = vec![NONE; self.free];
        colours.extend(self.game.played().iter().map(|&atom| self.game.colour(atom) as u8));
        // The most that MAX reaches: everything up to `low` is reached, nothing from `high` on.
        let (least, most) = self.bounds(&colours);
        let (mut low, mut high) = (least, most + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.reaches(&mut colours, self.game.turn, middle)? {
                low = middle;
            } else {
                high = middle;
            }
        }
        // Who keeps it: MAX with moves that reach it, MIN with moves after which no more is reached.
        let (mut moves, mut unlisted) = (Vec::new(), None);
        if let Some(mover) = self.game.mover() {
            let asked = if mover == Player::Max { low } else { high };
            for atom in self.game.moves() {
                let place = self.elements.iter().position(|&var| var == self.game.element(atom)).unwrap_or_default();
                colours[place] = self.game.colour(atom) as u8;
                let reached = self.reaches(&mut colours, !mover, asked);
                colours[place] = NONE;
                match reached {
                    Ok(reached) if reached == (mover == Player::Max) => {
                        moves.push(atom);
                        if !all_moves {
                            break;
                        }
                    }
                    Ok(_) => {}
                    Err(reason) => {
                        unlisted = Some(reason);
                        break;
                    }
                }
            }
        }
        Ok(PlainValue { value: low, moves, unlisted })
    }

    /// The least and the most that MAX can still get. A literal about an element without a colour is open.
    fn bounds(&self, colours: &[u8]) -> (i64, i64) {
        let (mut least, mut most) = (0, 0);
        let (mut all, mut none) = (true, true);
        let (mut some_true, mut some_false) = (false, false);
        for row in &self.rows {
            let (mut true_lits, mut false_lits) = (0, 0);
            for &(element, mask) in &row.lits {
                if colours[element] != NONE {
                    *(if mask >> colours[element] & 1 != 0 { &mut true_lits } else { &mut false_lits }) += 1;
                }
            }
            let known = if self.game.is_conjunction() {
                if true_lits > 0 { Some(true) } else { (false_lits == row.lits.len()).then_some(false) }
            } else if false_lits > 0 {
                Some(false)
            } else {
                (true_lits == row.lits.len()).then_some(true)
            };
            all &= known == Some(true);
            none &= known == Some(false);
            some_true |= known == Some(true);
            some_false |= known == Some(false);
            least += if known == Some(true) {
                row.weight
            } else if known.is_none() {
                row.weight.min(0)
            } else {
                0
            };
            most += if known == Some(true) {
                row.weight
            } else if known.is_none() {
                row.weight.max(0)
            } else {
                0
            };
        }
        if self.game.weights().is_some() {
            return (least, most);
        }
        match self.game.is_conjunction() {
            true => (i64::from(all), i64::from(!some_false)),
            false => (i64::from(some_true), i64::from(!none)),
        }
    }

    /// Whether MAX gets at least so much. As deep as there are elements, [`MOST_ELEMENTS`] at most.
    fn reaches(&mut self, colours: &mut Vec<u8>, turn: Player, amount: i64) -> Result<bool, StopReason> {
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        let (least, most) = self.bounds(colours);
        if least >= amount {
            return Ok(true);
        }
        if most < amount {
            return Ok(false);
        }
        let able = |player: Player| {
            let choices = &self.choices[usize::from(player == Player::Min)];
            (0..self.free).any(|place| colours[place] == NONE && choices[place] != 0)
        };
        let Some(mover) = [turn, !turn].into_iter().find(|&player| able(player)) else {
            let worth = self.game.worth(|var| {
                let place = self.elements.iter().position(|&other| other == var)?;
                (colours[place] != NONE).then(|| usize::from(colours[place]))
            });
            return Ok(worth >= amount);
        };
        let key = (colours[..self.free].to_vec(), mover, amount);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let wanted = mover == Player::Max;
        let mut found = !wanted;
        'moves: for place in 0..self.free {
            if colours[place] != NONE {
                continue;
            }
            let mask = self.choices[usize::from(mover == Player::Min)][place];
            for colour in (0..self.game.colours()).filter(|&colour| mask >> colour & 1 != 0) {
                colours[place] = colour as u8;
                let reached = self.reaches(colours, !mover, amount);
                colours[place] = NONE;
                if reached? == wanted {
                    found = wanted;
                    break 'moves;
                }
            }
        }
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, found);
        Ok(found)
    }
}
