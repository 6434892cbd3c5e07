//! The winner's strategy as a graph that [`gamesat_check`] judges; see there for what nodes claim.
//!
//! A node is made for a position of which the search says who wins. Its claim is kept beside it: the colours and the uncoloured
//! elements that the strategy relies on. After a reply of the loser that the answer does not rely on, the same answer serves
//! every reply outside the elements that it needs; so replies are taken one by one, elements on which nothing rests first, until
//! every reply in an element that is needed has its answer, and so has one outside if the number of those is odd.

use super::rows::Row;
use super::search::{Search, first_colour};
use gamesat_core::control::StopReason;
use gamesat_core::formula::{Lit, Player, Strategy, StrategyNode, Var};
use gamesat_rows::mask::bits;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Nodes of a strategy at most.
const MOST_NODES: usize = 1 << 19;
/// Uncoloured elements at most, dead ones included.
const MOST_ELEMENTS: usize = 64;

/// A node and what it relies on.
#[derive(Clone, Debug)]
struct Built {
    node: u32,
    holds: Rc<BTreeSet<Lit>>,
    open: Rc<BTreeSet<Var>>,
    is_leaf: bool,
}

/// Colours on the way to a position: of every element that was uncoloured at the root.
type Colours = Vec<Option<usize>>;

struct Builder<'s, 'a> {
    search: &'s mut Search<'a>,
    winner: Player,
    strategy: Strategy,
    /// The elements that are uncoloured at the root.
    free: Vec<Var>,
    known: FxHashMap<Colours, Built>,
}

impl Search<'_> {
    /// The strategy of the winner.
    ///
    /// # Errors
    /// It would be too large, or the reason to stop.
    pub fn strategy(&mut self) -> Result<Strategy, StopReason> {
        let free: Vec<Var> = self.game.free().take(MOST_ELEMENTS + 1).collect();
        if free.len() > MOST_ELEMENTS {
            return Err(StopReason::Unsupported(format!("strategies are written for up to {MOST_ELEMENTS} elements")));
        }
        let rows = self.board.rows.clone();
        let turn = self.game.turn;
        let winner = self.value(&rows, free.len(), turn)?.winner;
        let mut colours: Colours = vec![None; free.len()];
        let mut builder =
            Builder { search: self, winner, strategy: Strategy::new(winner), free, known: FxHashMap::default() };
        builder.build(&mut colours, turn)?;
        Ok(builder.strategy)
    }
}

impl Builder<'_, '_> {
    /// The node of a position that the winner wins. As deep as there are elements, [`MOST_ELEMENTS`] at most.
    fn build(&mut self, colours: &mut Colours, turn: Player) -> Result<Built, StopReason> {
        if let Some(built) = self.known.get(colours) {
            return Ok(built.clone());
        }
        if self.strategy.len() > MOST_NODES {
            return Err(StopReason::Unsupported("the strategy has too many nodes".to_owned()));
        }
        let rows = self.rows(colours);
        let built = if self.search.board.decided(&rows).is_some() {
            self.leaf(colours)
        } else if turn == self.winner {
            self.answer(colours, &rows, turn)?
        } else {
            self.replies(colours, turn)?
        };
        self.known.insert(colours.clone(), built.clone());
        Ok(built)
    }

    /// The open rows of a position.
    fn rows(&self, colours: &Colours) -> Vec<Row> {
        let board = &self.search.board;
        let mut rows = board.rows.clone();
        for (number, var) in board.elements.iter().enumerate() {
            let place = self.free.iter().position(|other| other == var);
            if let Some(colour) = place.and_then(|place| colours[place]) {
                rows = board.after(&rows, number, colour);
            }
        }
        rows
    }

    /// The atoms that hold: what was played before the root, and since.
    fn atoms(&self, colours: &Colours) -> Vec<Lit> {
        let game = self.search.game;
        let since = self.free.iter().zip(colours).filter_map(|(&var, colour)| Some(game.atom(var, (*colour)?)));
        game.played().iter().copied().chain(since).collect()
    }

    /// Colours that decide: an atom that hits each row, or all that leave one row without hope.
    fn leaf(&mut self, colours: &Colours) -> Built {
        let game = self.search.game;
        let atoms = self.atoms(colours);
        let mut holds: BTreeSet<Lit> = BTreeSet::new();
        let hits = |atom: Lit, row: &[Lit]| {
            let mut about =
                row.iter().filter(|&&lit| game.element(lit) == game.element(atom)).map(|&lit| game.mask(lit));
            let colour = game.colour(atom);
            about.any(|mask| (mask >> colour & 1 != 0) == game.is_conjunction())
        };
        if self.winner == self.search.board.hitter {
            for row in game.rows() {
                if !holds.iter().any(|&atom| hits(atom, row)) {
                    holds.extend(atoms.iter().copied().find(|&atom| hits(atom, row)));
                }
            }
        } else {
            let lost = |row: &&[Lit]| {
                row.iter().all(|&lit| {
                    let element = game.element(lit);
                    let mask = if game.is_conjunction() { game.mask(lit) } else { !game.mask(lit) };
                    match atoms.iter().find(|&&atom| game.element(atom) == element) {
                        Some(&atom) => mask >> game.colour(atom) & 1 == 0,
                        None => mask & game.domain(element) == 0,
                    }
                })
            };
            let row = game.rows().iter().find(lost).unwrap_or_default();
            let about = |atom: &&Lit| row.iter().any(|&lit| game.element(lit) == game.element(**atom));
            holds.extend(atoms.iter().filter(about));
        }
        let list: Vec<Lit> = holds.iter().copied().collect();
        let node = self.strategy.push(StrategyNode::Leaf { holds: &list, pairs: &[] });
        Built { node, holds: Rc::new(holds), open: Rc::default(), is_leaf: true }
    }

    /// The winner's move.
    fn answer(&mut self, colours: &mut Colours, rows: &[Row], turn: Player) -> Result<Built, StopReason> {
        let game = self.search.game;
        let left = colours.iter().filter(|colour| colour.is_none()).count();
        let choice = self.search.value(rows, left, turn)?.choice.flatten();
        let (place, colour) = match choice {
            Some((element, colour)) => {
                let var = self.search.board.elements[element];
                (self.free.iter().position(|&other| other == var), colour)
            }
            None => {
                let place = self.outside(colours, rows).or_else(|| colours.iter().position(Option::is_none));
                (place, place.map_or(0, |place| first_colour(game, self.free[place])))
            }
        };
        let place = place.unwrap_or_else(|| unreachable!("the game is not over"));
        let (var, lit) = (self.free[place], game.atom(self.free[place], colour));
        colours[place] = Some(colour);
        let child = self.build(colours, !turn);
        colours[place] = None;
        let child = child?;
        let relies = child.holds.contains(&lit);
        if !relies && child.is_leaf {
            return Ok(child);
        }
        // A move on which nothing rests can be any, if one is sure to be left.
        if !relies && (left - child.open.len()) % 2 == 1 {
            let node = self.strategy.push(StrategyNode::Spare { child: child.node });
            return Ok(Built { node, is_leaf: false, ..child });
        }
        let mut holds = (*child.holds).clone();
        holds.remove(&lit);
        let mut open = (*child.open).clone();
        open.insert(var);
        let node = self.strategy.push(StrategyNode::Move { lit, child: child.node });
        Ok(Built { node, holds: Rc::new(holds), open: Rc::new(open), is_leaf: false })
    }

    /// An uncoloured element on which nothing depends.
    fn outside(&self, colours: &Colours, rows: &[Row]) -> Option<usize> {
        let occurring = rows.iter().fold(0, |mask, row| mask | row.elements);
        let alive: Vec<Var> = bits(occurring)
            .filter(|&element| self.search.board.outlook(rows, element).is_some())
            .map(|element| self.search.board.elements[element])
            .collect();
        (0..self.free.len()).find(|&place| colours[place].is_none() && !alive.contains(&self.free[place]))
    }

    /// Answers to every reply of the loser that matters.
    fn replies(&mut self, colours: &mut Colours, turn: Player) -> Result<Built, StopReason> {
        let game = self.search.game;
        let left = colours.iter().filter(|colour| colour.is_none()).count();
        let (mut any, mut tied): (Vec<Built>, Vec<(Lit, Built)>) = (Vec::new(), Vec::new());
        let (mut holds, mut open): (BTreeSet<Lit>, BTreeSet<Var>) = (BTreeSet::new(), BTreeSet::new());
        loop {
            // 1. A reply that has no answer yet.
            let unanswered = |place: usize, colour: usize| {
                let lit = game.atom(self.free[place], colour);
                let free = |child: &Built| !child.open.contains(&self.free[place]);
                !tied.iter().any(|&(reply, _)| reply == lit) && !any.iter().any(free)
            };
            let needed = (0..self.free.len()).filter(|&place| open.contains(&self.free[place]));
            let missing = needed
                .flat_map(|place| bits(game.domain(self.free[place])).map(move |colour| (place, colour)))
                .find(|&(place, colour)| unanswered(place, colour));
            let missing = match missing {
                Some(reply) => Some(reply),
                None if any.is_empty() && ((left - open.len()) % 2 == 1 || open.is_empty()) => {
                    let rows = self.rows(colours);
                    let elsewhere = |&place: &usize| colours[place].is_none() && !open.contains(&self.free[place]);
                    let place = self.outside(colours, &rows).filter(elsewhere);
                    let place = place.or_else(|| (0..self.free.len()).find(elsewhere));
                    place.map(|place| (place, first_colour(game, self.free[place])))
                }
                None => None,
            };
            let Some((place, colour)) = missing else { break };
            // 2. Its answer.
            let lit = game.atom(self.free[place], colour);
            colours[place] = Some(colour);
            let child = self.build(colours, !turn);
            colours[place] = None;
            let child = child?;
            holds.extend(child.holds.iter().filter(|&&held| held != lit));
            open.extend(child.open.iter());
            if child.holds.contains(&lit) {
                open.insert(self.free[place]);
                tied.push((lit, child));
            } else if child.is_leaf {
                return Ok(child);
            } else {
                any.push(child);
            }
        }
        let any: Vec<u32> = any.iter().map(|child| child.node).collect();
        let (lits, after): (Vec<Lit>, Vec<u32>) = tied.iter().map(|(lit, child)| (*lit, child.node)).unzip();
        let node = self.strategy.push(StrategyNode::Replies { any: &any, lits: &lits, after: &after });
        Ok(Built { node, holds: Rc::new(holds), open: Rc::new(open), is_leaf: false })
    }
}
