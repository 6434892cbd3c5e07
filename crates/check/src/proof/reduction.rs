//! Is a win of a smaller game a win of the larger one? Decided from the two formulas, knowing nothing of how the smaller one
//! was made.
//!
//! **Theorem.** Let `G` be a game, `H` another one with the same player to move, whose elements that matter are uncoloured
//! elements of `G`, and `W` a player. Let there be sets of other uncoloured elements of `G`, no two with an element in common,
//! and rows of literals over each set. If
//! 1. `W` wins `H`;
//! 2. in each set, padded with an element that counts for nothing to an even number, `W` moving second gives every row of the
//!    set a true literal, under the rule of `G`;
//! 3. every completion of `G` in which `H` has `W`'s value and every row has a true literal has `W`'s value;
//! 4. `H` and `G` have both an odd or both an even number of uncoloured elements, or `H` is isotone; and they have the same
//!    rule, or all literals of `H` are positive;
//! 5. there are no sets, or `W` makes the last move of `G`, or the rows are isotone for `W`: each of their elements occurs in
//!    one sign only, and `W` may give it the colour that makes it true;
//!
//! then `W` wins `G`.
//!
//! *Proof.* Two elements that count for nothing change no winner: the player who wins without them answers one with the
//! other. So `G` may have an even number of them more, one for each set that is to be padded, and perhaps one over. All sets
//! are even now; call the elements outside them the rest. Modulo two the rest has as many elements as `G`, so it is `H` up to
//! pairs of elements that count for nothing, or, if `H` is isotone, up to any number of them; `W` wins it. `W` plays by a
//! win of the rest there, and answers in a set whenever the opponent moves in one. Before each move of the opponent every
//! set has an even number of elements left, so there is an answer in a set. In the rest there is one unless the opponent has
//! made its last move.
//!
//! If `W` makes the last move of `G`, `W` makes that of the rest, because the sets are even: there is always an answer, `W`
//! wins the rest, keeps every row, and has `G` by 3. If there are no sets, the rest is all there is.
//!
//! Else the opponent may make the last move of the rest, and `W` has to move in sets first. Now the rows are isotone for `W`,
//! and in such a set an element that is given to `W` harms no win of `W`, whoever is to move in the set: `W` plays as if
//! the element were still to be coloured; a win that wants to colour it colours another one of the sets instead, which is
//! then the element that was given. So whenever `W` has no answer, `W` makes any element of a set true for the rows, and goes
//! on; elements that count for nothing are given in the same way. In the end all rows have a true literal, and `G` is won by 3.
//!
//! Rules: with positive literals alone no player is better off with the other's colour. ∎
//!
//! Without 5 the opponent's last move outside can force `W` to open a set: MIN, moving second, sees to it that two elements
//! become equal, and loses that as soon as a third element is left to MAX.
//!
//! What the smaller game leaves to the opponent, because the opponent has captured it or because it is dead, needs no word:
//! 3 is asked for all its colourings.

use super::board_decided::BoardDecided;
use super::gates::add_gates;
use super::judge::Judge;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Reduction, Rule, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::Board;
use rustc_hash::{FxHashMap, FxHashSet};

/// Elements of a set at most: its positions are played out.
const MOST: usize = 12;

/// What a reduction must know of the larger game.
enum Larger<'a> {
    Formula(&'a Game),
    Board(&'a Board),
}

impl Larger<'_> {
    fn turn(&self) -> Player {
        match self {
            Larger::Formula(game) => game.turn,
            Larger::Board(board) => board.player(board.turn),
        }
    }

    fn rule(&self) -> Rule {
        match self {
            Larger::Formula(game) => game.rule,
            Larger::Board(_) => Rule::Own,
        }
    }

    fn uncoloured(&self) -> usize {
        match self {
            Larger::Formula(game) => game.uncoloured(),
            Larger::Board(board) => (0..board.elements()).filter(|&element| board.is_free(element)).count(),
        }
    }
}

/// Whether the player wins the larger game, given a win of the smaller one. The inner error says why not.
///
/// # Errors
/// The reason to stop before it was known.
pub(super) fn check_reduction(
    problem: &Problem,
    reduction: &Reduction,
    winner: Player,
    judge: Judge,
    control: &Control,
) -> Result<Result<(), String>, StopReason> {
    let larger = match problem {
        Problem::Game(game) => Larger::Formula(game),
        Problem::Board(board) if board.has_plies() => {
            return Ok(Err("this game ends before the board is full".to_owned()));
        }
        Problem::Board(board) => Larger::Board(board),
        _ => return Ok(Err("only games have reduced games".to_owned())),
    };
    if let Err(why) = fits(&larger, reduction, winner) {
        return Ok(Err(why));
    }
    let mut poller = control.poller();
    for promise in reduction.promises.iter().filter(|promise| promise.captor == winner) {
        let mut local = match Local::new(&promise.rows, larger.rule(), winner) {
            Ok(local) => local,
            Err(why) => return Ok(Err(why)),
        };
        if !local.is_kept(&mut poller)? {
            return Ok(Err(format!("{winner} cannot keep the promise {}", spoken(&promise.rows))));
        }
    }
    // Is there a completion that is won in the smaller game, with all promises kept, and lost in the larger one?
    let mut question = match larger {
        Larger::Board(board) => {
            let (backend, colours) = BoardDecided::new(board, winner, judge)?.not_won()?;
            Clauses { backend, colours }
        }
        Larger::Formula(game) => {
            let mut question = Clauses { backend: judge.solver(), colours: FxHashMap::default() };
            for &lit in game.played() {
                let lit = question.literal(lit);
                question.backend.add_clause(&[lit]);
            }
            question.demand(game.matrix(), !winner.colour(), Some, &mut poller)?;
            question
        }
    };
    let origin = |lit: Lit| reduction.origin[lit.var().index()].map(|var| var.lit(lit.is_positive()));
    question.demand(reduction.game.matrix(), winner.colour(), origin, &mut poller)?;
    for row in reduction.promises.iter().filter(|promise| promise.captor == winner).flat_map(|promise| &promise.rows) {
        let clause: Vec<Lit> = row.iter().map(|&lit| question.literal(lit)).collect();
        question.backend.add_clause(&clause);
    }
    let escapes = question.backend.solve(&[], control)?;
    Ok(if escapes { Err("what wins there does not always win here".to_owned()) } else { Ok(()) })
}

fn spoken(rows: &[Vec<Lit>]) -> String {
    let rows = rows.iter().map(|row| row.iter().map(Lit::to_string).collect::<Vec<_>>().join(" or "));
    rows.collect::<Vec<_>>().join(", ")
}

/// Whether the two games speak of the same position: what is said of elements, and conditions 4 and 5.
fn fits(larger: &Larger<'_>, reduction: &Reduction, winner: Player) -> Result<(), String> {
    let smaller = &reduction.game;
    if !smaller.played().is_empty() {
        return Err("it has colours played".to_owned());
    }
    if smaller.turn != larger.turn() {
        return Err(format!("there {} is to move, and here {}", smaller.turn, larger.turn()));
    }
    let lits: &[Lit] = match smaller.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.lits(),
        GameMatrix::Circuit(_) => return Err("it is no normal form".to_owned()),
    };
    let is_positive = lits.iter().all(|lit| lit.is_positive());
    if smaller.rule != larger.rule() && !is_positive {
        return Err("it is played under another rule".to_owned());
    }
    let signs: FxHashSet<Lit> = lits.iter().copied().collect();
    let isotone = is_positive || smaller.rule == Rule::Any && signs.iter().all(|&lit| !signs.contains(&!lit));
    if !isotone && smaller.uncoloured() % 2 != larger.uncoloured() % 2 {
        return Err("of the numbers of uncoloured elements one is odd and one is even".to_owned());
    }
    // Every element is one that is still to be coloured, and has one use.
    let coloured: FxHashSet<Var> = match larger {
        Larger::Formula(game) => game.played().iter().map(|lit| lit.var()).collect(),
        Larger::Board(_) => FxHashSet::default(),
    };
    let is_open = |var: Var| match larger {
        Larger::Formula(game) => var.index() < game.elements() && !coloured.contains(&var),
        Larger::Board(board) => var.index() < board.elements() && board.is_free(var.index()),
    };
    let mut used: FxHashSet<Var> = FxHashSet::default();
    let mut take = |var: Var| match (is_open(var), used.insert(var)) {
        (false, _) => Err(format!("element {var} is not to be coloured here")),
        (_, false) => Err(format!("element {var} is used twice")),
        _ => Ok(()),
    };
    let mut seen: FxHashSet<Var> = FxHashSet::default();
    for &lit in lits.iter().filter(|lit| seen.insert(lit.var())) {
        match reduction.origin.get(lit.var().index()) {
            Some(&Some(var)) => take(var)?,
            _ => return Err(format!("its element {} is none of this game", lit.var())),
        }
    }
    let mut promised: FxHashSet<Lit> = FxHashSet::default();
    for promise in reduction.promises.iter().filter(|promise| promise.captor == winner) {
        let set: FxHashSet<Var> = promise.rows.iter().flatten().map(|lit| lit.var()).collect();
        set.into_iter().try_for_each(&mut take)?;
        promised.extend(promise.rows.iter().flatten());
    }
    // The fifth condition.
    let moves_last = (larger.turn() == winner) == (larger.uncoloured() % 2 == 1);
    let has_tempo = |lit: &Lit| !promised.contains(&!*lit) && larger.rule().allows(winner, lit.is_positive());
    if !moves_last && !promised.iter().all(has_tempo) {
        return Err(format!(
            "{winner} does not make the last move, and may have to move first where a promise is to be kept"
        ));
    }
    Ok(())
}

/// A set in which a player moves second and wants every row to have a true literal.
struct Local {
    rows: Vec<[u32; 2]>,
    elements: u32,
    rule: Rule,
    winner: Player,
    /// By elements coloured, those of them TRUE, and whether the padding is left.
    known: FxHashMap<(u32, u32, bool), bool>,
}

impl Local {
    fn new(rows: &[Vec<Lit>], rule: Rule, winner: Player) -> Result<Self, String> {
        let mut elements: Vec<Var> = rows.iter().flatten().map(|lit| lit.var()).collect();
        elements.sort_unstable();
        elements.dedup();
        if elements.len() > MOST {
            return Err(format!(
                "a set of {} elements is too large to be played out, {MOST} is the most",
                elements.len()
            ));
        }
        let bit = |lit: &&Lit| elements.binary_search(&lit.var()).map_or(0, |at| 1u32 << at);
        let mask = |row: &[Lit], colour: bool| {
            row.iter().filter(|lit| lit.is_positive() == colour).map(|lit| bit(&lit)).fold(0, |mask, bit| mask | bit)
        };
        Ok(Local {
            rows: rows.iter().map(|row| [mask(row, false), mask(row, true)]).collect(),
            elements: elements.len() as u32,
            rule,
            winner,
            known: FxHashMap::default(),
        })
    }

    fn is_kept(&mut self, poller: &mut Poller<'_>) -> Result<bool, StopReason> {
        self.keeps(0, 0, self.elements % 2 == 1, poller)
    }

    fn keeps(&mut self, coloured: u32, trues: u32, padding: bool, poller: &mut Poller<'_>) -> Result<bool, StopReason> {
        let left = self.elements - coloured.count_ones() + u32::from(padding);
        if left == 0 {
            return Ok(self.rows.iter().all(|[falling, rising]| falling & !trues | rising & trues != 0));
        }
        if let Some(&known) = self.known.get(&(coloured, trues, padding)) {
            return Ok(known);
        }
        poller.poll(self.known.len() as u64)?;
        // An even number in all: before the opponent's moves an even number is left.
        let mover = if left.is_multiple_of(2) { !self.winner } else { self.winner };
        let wanted = mover == self.winner;
        let mut found = padding && self.keeps(coloured, trues, false, poller)? == wanted;
        for element in 0..self.elements {
            for colour in [true, false] {
                let bit = 1 << element;
                if !found && coloured & bit == 0 && self.rule.allows(mover, colour) {
                    let trues = if colour { trues | bit } else { trues };
                    found = self.keeps(coloured | bit, trues, padding, poller)? == wanted;
                }
            }
        }
        let kept = found == wanted;
        self.known.insert((coloured, trues, padding), kept);
        Ok(kept)
    }
}

/// A SAT solver, and its literals for the elements of the larger game being TRUE.
struct Clauses {
    backend: Box<dyn SatSolver>,
    colours: FxHashMap<Var, Lit>,
}

impl Clauses {
    fn literal(&mut self, lit: Lit) -> Lit {
        let backend = &mut self.backend;
        let colour = *self.colours.entry(lit.var()).or_insert_with(|| backend.new_var().positive());
        if lit.is_positive() { colour } else { !colour }
    }

    /// Demands that a formula has a value. Its literals without an origin are none of the larger game and stand for nothing.
    fn demand(
        &mut self,
        matrix: &GameMatrix,
        value: bool,
        origin: impl Fn(Lit) -> Option<Lit>,
        poller: &mut Poller<'_>,
    ) -> Result<(), StopReason> {
        let translated = |row: &[Lit], clauses: &mut Self| -> Vec<Lit> {
            row.iter().filter_map(|&lit| origin(lit)).map(|lit| clauses.literal(lit)).collect()
        };
        let (rows, conjunction): (&ClauseArena, bool) = match matrix {
            GameMatrix::Cnf(rows) => (rows, true),
            GameMatrix::Dnf(rows) => (rows, false),
            GameMatrix::Circuit(circuit) => {
                let mut inputs: Vec<Lit> = Vec::with_capacity(circuit.inputs());
                for input in 0..circuit.inputs() {
                    let lit = translated(&[Var::from_index(input).positive()], self).pop();
                    inputs.push(lit.unwrap_or_else(|| self.backend.new_var().positive()));
                }
                let output = add_gates(&mut *self.backend, circuit, &inputs, poller)?;
                self.backend.add_clause(&[if value { output } else { !output }]);
                return Ok(());
            }
        };
        let mut one: Vec<Lit> = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            poller.poll(number as u64)?;
            let mut lits = translated(row, self);
            if !conjunction {
                lits.iter_mut().for_each(|lit| *lit = !*lit);
            }
            if conjunction == value {
                // Every clause has a true literal, every term a false one.
                self.backend.add_clause(&lits);
            } else {
                let chosen = self.backend.new_var().positive();
                lits.iter().for_each(|&lit| self.backend.add_clause(&[!chosen, !lit]));
                one.push(chosen);
            }
        }
        if conjunction != value {
            self.backend.add_clause(&one);
        }
        Ok(())
    }
}
