//! Whatever can be played, seen alike: whose turn it is, which moves there are, what they are called, how it ended.
//!
//! A move is a literal: an element in a colour, a cell (positive for MAX), a variable and its value, the number of a move in
//! a game with an order. In a quantified formula a player chooses any variable of the outermost block that is left.

use crate::solve::{Trace, Wanted};
use gamesat_core::formula::{
    CircuitBuilder, Game, GameMatrix, Lit, Names, Player, Prefix, QuantifiedCircuit, Quantifier, Var,
};
use gamesat_core::problem::Problem;
use gamesat_core::rules::sequential::{MoveError, Sequential};
use gamesat_core::rules::{BoardError, Ending, Side};
use std::fmt;

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Nothing has this name.
    #[error("'{0}' is no move")]
    Unknown(String),
    /// The rules do not allow it now.
    #[error("{0} is not allowed now")]
    Illegal(String),
    /// The cell cannot be taken.
    #[error("{0}")]
    Board(#[from] BoardError),
    /// The move cannot be made.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// Nobody can choose a move in such a problem.
    #[error("{0}")]
    Refused(#[from] crate::solve::Refusal),
    /// There are too many elements to list moves.
    #[error("there are {0} elements, too many to play with: at most {most}", most = Position::MOST_ELEMENTS)]
    TooManyElements(usize),
    /// The problem is no position to play from.
    #[error("{0}")]
    Missing(&'static str),
    /// Thinking was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This player has won.
    Win(Player),
    /// Nobody has.
    Draw,
}

/// A position of any game.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub(super) problem: Problem,
    /// Quantified formulas: the values chosen so far.
    chosen: Vec<Lit>,
    /// Games with an order: what the first player has gained, and who moved last.
    gained: i64,
    last: Option<Side>,
}

impl Position {
    /// The most elements of a game whose moves can be listed: a few bytes of text can announce billions.
    pub const MOST_ELEMENTS: usize = 1 << 22;

    /// Whether a problem can be played: its moves can be listed, and there is all that it takes. To be asked first of a problem
    /// from elsewhere.
    ///
    /// # Errors
    /// There are too many moves, or something is missing.
    pub fn fits(problem: &Problem) -> Result<(), PlayError> {
        match problem {
            Problem::Game(game) if game.elements() > Self::MOST_ELEMENTS => {
                Err(PlayError::TooManyElements(game.elements()))
            }
            Problem::Sequential(game) => game.missing().map_or(Ok(()), |what| Err(PlayError::Missing(what))),
            _ => Ok(()),
        }
    }

    /// The position of a problem.
    pub fn new(problem: Problem) -> Self {
        Position { problem, chosen: Vec::new(), gained: 0, last: None }
    }

    /// The problem, as a solver shall see it: of a quantified formula what is left of it.
    pub fn problem(&self) -> Problem {
        match &self.problem {
            Problem::Qbf(qbf) => Problem::Qbf(qbf.substitute(&self.chosen)),
            Problem::Circuit(circuit) => Problem::Circuit(fixed(circuit, &self.chosen)),
            other => other.clone(),
        }
    }

    /// The problem as it was given, with the stones and colours that were played.
    pub fn given(&self) -> &Problem {
        &self.problem
    }

    /// Whether it is a quantified formula.
    pub fn is_formula(&self) -> bool {
        matches!(self.problem, Problem::Qbf(_) | Problem::Circuit(_))
    }

    /// Quantified formulas: the values chosen so far.
    pub fn chosen(&self) -> &[Lit] {
        &self.chosen
    }

    /// Games with an order: what the first player has gained so far.
    pub(super) fn gained(&self) -> i64 {
        self.gained
    }

    /// Who moves; `None` when the game is over.
    pub fn turn(&self) -> Option<Player> {
        if self.outcome().is_some() {
            return None;
        }
        match &self.problem {
            Problem::Game(game) => Some(game.turn),
            Problem::Colouring(game) => game.mover(),
            Problem::Board(board) => Some(board.player(board.turn)),
            Problem::Sequential(game) => game.mover().map(player_of),
            Problem::Qbf(_) | Problem::Circuit(_) => self.block().map(|(quantifier, _)| player(quantifier)),
            Problem::Reordered(_) | Problem::Sudoku(_) => None,
        }
    }

    /// What a player is called: black, short, max, exists.
    pub fn player_name(&self, of: Player) -> String {
        match &self.problem {
            Problem::Board(board) => board.side_name(if of == Player::Max { board.max } else { !board.max }).to_owned(),
            Problem::Sequential(game) => {
                game.side_name(if of == Player::Max { Side::First } else { Side::Second }).to_owned()
            }
            Problem::Game(_) | Problem::Colouring(_) => of.to_string(),
            _ => if of == Player::Max { "exists" } else { "forall" }.to_owned(),
        }
    }

    /// The player of this name; `max` and `min` are names in every game.
    pub fn find_player(&self, name: &str) -> Option<Player> {
        let is = |player: &Player| self.player_name(*player).eq_ignore_ascii_case(name) || player.to_string() == name;
        [Player::Max, Player::Min].into_iter().find(is)
    }

    /// How the game ended; `None` as long as that is open.
    pub fn outcome(&self) -> Option<Outcome> {
        let by_truth = |truth: bool| Outcome::Win(if truth { Player::Max } else { Player::Min });
        match &self.problem {
            Problem::Game(game) => truth(game).map(by_truth),
            Problem::Colouring(game) => game.mover().is_none().then(|| {
                let colours: rustc_hash::FxHashMap<Var, usize> =
                    game.played().iter().map(|&atom| (game.element(atom), game.colour(atom))).collect();
                match game.worth(|var| colours.get(&var).copied()) {
                    0 if game.weights().is_some() => Outcome::Draw,
                    worth => by_truth(worth > 0),
                }
            }),
            Problem::Board(board) => board.ending().map(|ending| match ending {
                Ending::Win(side) => Outcome::Win(board.player(side)),
                Ending::Draw => Outcome::Draw,
            }),
            Problem::Sequential(_) => self.score().map(|score| match score {
                0 => Outcome::Draw,
                score => by_truth(score > 0),
            }),
            Problem::Qbf(qbf) => {
                let rest = qbf.substitute(&self.chosen);
                if rest.matrix().is_empty() {
                    Some(by_truth(true))
                } else {
                    rest.matrix().iter().any(<[Lit]>::is_empty).then(|| by_truth(false))
                }
            }
            Problem::Circuit(circuit) => {
                let mut values = vec![false; circuit.circuit().inputs()];
                self.chosen.iter().for_each(|lit| values[lit.var().index()] = lit.is_positive());
                self.block().is_none().then(|| by_truth(circuit.circuit().evaluate(&values)))
            }
            // Nobody plays here: of a puzzle there is nobody to win against.
            Problem::Reordered(_) | Problem::Sudoku(_) => Some(Outcome::Draw),
        }
    }

    /// The same wish with a trace, in games that have some.
    pub fn with_trace(&self, wanted: &Wanted) -> Wanted {
        let has_trace = match &self.problem {
            Problem::Board(board) => !board.has_plies() && !board.is_race(),
            Problem::Game(_) => true,
            _ => false,
        };
        Wanted { trace: if has_trace { Trace::Any } else { wanted.trace }, ..wanted.clone() }
    }

    /// In a game with an order that is over, what the first player has won by.
    pub fn score(&self) -> Option<i64> {
        match &self.problem {
            Problem::Sequential(game) if game.mover().is_none() => {
                // The end counts for who would move, had the game gone on.
                Some(self.gained + if self.last == Some(Side::Second) { game.end() } else { -game.end() })
            }
            _ => None,
        }
    }

    /// Every legal move.
    pub fn moves(&self) -> Vec<Lit> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let both = |var: Var| [var.positive(), var.negative()];
        match &self.problem {
            Problem::Game(game) => {
                let mut coloured = vec![false; game.elements()];
                game.played().iter().for_each(|lit| coloured[lit.var().index()] = true);
                let free = (0..game.elements()).filter(|&element| !coloured[element]);
                let allowed = |lit: &Lit| game.rule.allows(game.turn, lit.is_positive());
                free.flat_map(|element| both(Var::from_index(element))).filter(allowed).collect()
            }
            Problem::Colouring(game) => game.moves(),
            Problem::Board(board) => {
                let colour = board.player(board.turn) == Player::Max;
                board.free().map(|element| Var::from_index(element).lit(colour)).collect()
            }
            Problem::Sequential(game) => {
                game.moves().iter().map(|&number| Var::from_index(usize::from(number)).positive()).collect()
            }
            Problem::Qbf(_) | Problem::Circuit(_) => {
                self.block().map_or(Vec::new(), |(_, vars)| vars.into_iter().flat_map(both).collect())
            }
            Problem::Reordered(_) | Problem::Sudoku(_) => Vec::new(),
        }
    }

    /// What a move is called.
    pub fn name(&self, lit: Lit) -> String {
        let index = lit.var().index();
        let valued = |name: String, own: Option<bool>| match lit.is_positive() {
            colour if own == Some(colour) => name,
            true => format!("{name}=TRUE"),
            false => format!("{name}=FALSE"),
        };
        match &self.problem {
            Problem::Board(board) => board.name(index),
            Problem::Sequential(game) => game.move_name(index as u16),
            Problem::Game(game) => valued(label(&game.names, lit.var()), Some(game.turn.colour())),
            Problem::Colouring(game) => game.spoken(lit),
            Problem::Qbf(qbf) => valued(label(&qbf.names, lit.var()), None),
            Problem::Circuit(circuit) => valued(label(&circuit.names, lit.var()), None),
            Problem::Reordered(_) | Problem::Sudoku(_) => lit.to_string(),
        }
    }

    /// The move that someone means: a cell, a move's name, an element or a variable with or without `=TRUE`, `=FALSE`, or a
    /// sign before it.
    ///
    /// # Errors
    /// Nothing has this name.
    pub fn parse(&self, text: &str) -> Result<Lit, PlayError> {
        let unknown = || PlayError::Unknown(text.chars().take(40).collect());
        let names = match &self.problem {
            Problem::Board(board) => {
                let lower = text.to_ascii_lowercase();
                let element = board.find(text).or_else(|| board.find(&lower)).ok_or_else(unknown)?;
                return Ok(Var::from_index(element).lit(board.player(board.turn) == Player::Max));
            }
            Problem::Sequential(game) => {
                let numbers = 0..game.move_count() as u16;
                let number = numbers.into_iter().find(|&number| game.move_name(number).eq_ignore_ascii_case(text));
                return number.map(|number| Var::from_index(usize::from(number)).positive()).ok_or_else(unknown);
            }
            Problem::Colouring(game) => return game.named_atom(text).ok_or_else(unknown),
            Problem::Game(game) => &game.names,
            Problem::Qbf(qbf) => &qbf.names,
            Problem::Circuit(circuit) => &circuit.names,
            Problem::Reordered(_) | Problem::Sudoku(_) => return Err(unknown()),
        };
        let own = match &self.problem {
            Problem::Game(game) => game.turn.colour(),
            _ => true,
        };
        let (name, colour) = match text.split_once('=') {
            Some((name, value)) if value.eq_ignore_ascii_case("true") || value == "1" => (name, Some(true)),
            Some((name, value)) if value.eq_ignore_ascii_case("false") || value == "0" => (name, Some(false)),
            Some(_) => return Err(unknown()),
            None => (text, None),
        };
        let (name, colour) = match name.strip_prefix(['-', '!']) {
            Some(name) if colour.is_none() => (name, false),
            Some(_) => return Err(unknown()),
            None => (name, colour.unwrap_or(own)),
        };
        let numbered = || name.parse::<i32>().ok().filter(|&number| number > 0).map(Var::from_dimacs);
        Ok(names.find(name).or_else(numbered).ok_or_else(unknown)?.lit(colour))
    }

    /// Plays a move.
    ///
    /// # Errors
    /// It is not a legal one, or the game is over.
    pub fn play(&mut self, lit: Lit) -> Result<(), PlayError> {
        if self.outcome().is_some() {
            return Err(PlayError::Over);
        }
        let illegal = PlayError::Illegal(self.name(lit));
        let block = self.block();
        match &mut self.problem {
            Problem::Game(game) => {
                if !game.rule.allows(game.turn, lit.is_positive()) || game.play(&[lit]).is_err() {
                    return Err(illegal);
                }
                game.turn = !game.turn;
            }
            Problem::Colouring(game) => {
                if game.make_move(lit).is_err() {
                    return Err(illegal);
                }
            }
            Problem::Board(board) => {
                board.play(lit.var().index())?;
            }
            Problem::Sequential(game) => {
                let number = u16::try_from(lit.var().index()).unwrap_or(u16::MAX);
                if !game.moves().contains(&number) {
                    return Err(illegal);
                }
                let sign = if game.mover() == Some(Side::First) { 1 } else { -1 };
                self.last = game.mover();
                self.gained += sign * game.play(number);
            }
            Problem::Qbf(_) | Problem::Circuit(_) => {
                if !block.is_some_and(|(_, vars)| vars.contains(&lit.var())) {
                    return Err(illegal);
                }
                self.chosen.push(lit);
            }
            Problem::Reordered(_) | Problem::Sudoku(_) => return Err(illegal),
        }
        Ok(())
    }

    /// The outermost block of a quantified formula in which a variable is left, and what is left of it.
    fn block(&self) -> Option<(Quantifier, Vec<Var>)> {
        let prefix = self.prefix()?;
        let chosen = |var: &Var| self.chosen.iter().any(|lit| lit.var() == *var);
        prefix.blocks().find_map(|block| {
            let left: Vec<Var> = block.vars.iter().copied().filter(|var| !chosen(var)).collect();
            (!left.is_empty()).then_some((block.quantifier, left))
        })
    }

    fn prefix(&self) -> Option<&Prefix> {
        match &self.problem {
            Problem::Qbf(qbf) => Some(qbf.prefix()),
            Problem::Circuit(circuit) => Some(circuit.prefix()),
            _ => None,
        }
    }
}

/// What people see: the board, or the colours and values so far and what is left.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |f: &mut fmt::Formatter<'_>, what: &str, list: Vec<String>| match list.len() {
            0 => Ok(()),
            more @ 41.. => writeln!(f, "{what}: {} and {} more", list[..40].join(" "), more - 40),
            _ => writeln!(f, "{what}: {}", list.join(" ")),
        };
        match &self.problem {
            Problem::Board(board) if !board.lines().is_empty() => write!(f, "{}", board.picture(&[])),
            Problem::Board(board) => {
                for side in [Side::First, Side::Second] {
                    let owned = (0..board.elements()).filter(|&element| board.stone(element) == Some(side));
                    listed(f, board.side_name(side), owned.map(|element| board.name(element)).collect())?;
                }
                listed(f, "free", board.free().map(|element| board.name(element)).collect())
            }
            Problem::Sequential(game) => write!(f, "{}", labelled(game)),
            Problem::Game(game) => {
                let mut coloured = vec![false; game.elements()];
                game.played().iter().for_each(|lit| coloured[lit.var().index()] = true);
                for (what, colour) in [("TRUE", true), ("FALSE", false)] {
                    let those = game.played().iter().filter(|lit| lit.is_positive() == colour);
                    listed(f, what, those.map(|lit| label(&game.names, lit.var())).collect())?;
                }
                let free = (0..game.elements()).filter(|&element| !coloured[element]);
                listed(f, "free", free.map(|element| label(&game.names, Var::from_index(element))).collect())
            }
            Problem::Colouring(game) => {
                listed(f, "coloured", game.played().iter().map(|&atom| game.spoken(atom)).collect())?;
                listed(f, "free", game.free().map(|var| label(&game.names, var)).collect())
            }
            Problem::Reordered(_) | Problem::Sudoku(_) => Ok(()),
            Problem::Qbf(_) | Problem::Circuit(_) => {
                listed(f, "chosen", self.chosen.iter().map(|&lit| self.name(lit)).collect())?;
                let Some((quantifier, left)) = self.block() else { return Ok(()) };
                let names = match &self.problem {
                    Problem::Qbf(qbf) => &qbf.names,
                    Problem::Circuit(circuit) => &circuit.names,
                    _ => unreachable!("only formulas have blocks"),
                };
                listed(f, &self.player_name(player(quantifier)), left.iter().map(|&var| label(names, var)).collect())
            }
        }
    }
}

/// The picture of a game with an order, with the words of its moves at the edges where it has none: the columns of Connect-k,
/// the points of Dots-and-Boxes.
fn labelled(game: &Sequential) -> String {
    let picture = game.picture();
    match game {
        Sequential::Connect(_) => {
            let width = picture.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            let digits: String = (1..=width).map(|column| char::from(b'0' + (column % 10) as u8)).collect();
            format!("{}\n{digits}\n", picture.trim_end())
        }
        Sequential::Dots(_) if picture.starts_with('+') => {
            let width = picture.lines().next().map_or(0, |line| line.chars().count()).div_ceil(2);
            let letters: Vec<String> =
                (0..width).map(|column| char::from(b'a' + (column % 26) as u8).to_string()).collect();
            let mut text = format!("   {}\n", letters.join(" "));
            for (number, line) in picture.lines().enumerate() {
                let row = if number % 2 == 0 { (number / 2 + 1).to_string() } else { String::new() };
                text += &format!("{row:>2} {line}\n");
            }
            text
        }
        _ => picture,
    }
}

/// The player that a quantifier is.
fn player(quantifier: Quantifier) -> Player {
    if quantifier == Quantifier::Exists { Player::Max } else { Player::Min }
}

/// In a game with an order the first side is MAX.
fn player_of(side: Side) -> Player {
    if side == Side::First { Player::Max } else { Player::Min }
}

fn label(names: &Names, var: Var) -> String {
    names.get(var).map_or_else(|| var.to_string(), str::to_owned)
}

/// The truth of a game's formula, once it is settled: in normal form as soon as the rows show it, of a circuit when every
/// input is coloured.
fn truth(game: &Game) -> Option<bool> {
    let mut values: Vec<Option<bool>> = vec![None; game.elements()];
    game.played().iter().for_each(|lit| values[lit.var().index()] = Some(lit.is_positive()));
    let (rows, settles) = match game.matrix() {
        GameMatrix::Cnf(rows) => (rows, true),
        GameMatrix::Dnf(rows) => (rows, false),
        GameMatrix::Circuit(circuit) => {
            let inputs: Option<Vec<bool>> = values[..circuit.inputs()].iter().copied().collect();
            return inputs.map(|inputs| circuit.evaluate(&inputs));
        }
    };
    // A clause is settled by a true literal, a term by a false one; a row all of whose literals are the other way decides.
    let mut open = false;
    for row in rows {
        let value = |lit: &Lit| values[lit.var().index()].map(|value| value == lit.is_positive());
        if row.iter().any(|lit| value(lit) == Some(settles)) {
            continue;
        }
        if row.iter().all(|lit| value(lit) == Some(!settles)) {
            return Some(!settles);
        }
        open = true;
    }
    (!open).then_some(settles)
}

/// The formula with values for some of its variables, outermost first: whoever has chosen another value has lost.
fn fixed(formula: &QuantifiedCircuit, chosen: &[Lit]) -> QuantifiedCircuit {
    let circuit = formula.circuit();
    let mut builder = CircuitBuilder::new(circuit.inputs());
    for gate in circuit.gates() {
        builder.gate(gate.kind, gate.operands);
    }
    let of = |quantifier: Quantifier| {
        let vars = formula.prefix().quantified().filter(move |&(q, _)| q == quantifier).map(|(_, var)| var);
        vars.filter_map(|var| chosen.iter().copied().find(|lit| lit.var() == var)).collect::<Vec<Lit>>()
    };
    let mut kept = of(Quantifier::Exists);
    kept.push(circuit.output());
    let kept = builder.and(&kept);
    let mut excused: Vec<Lit> = of(Quantifier::Forall).into_iter().map(|lit| !lit).collect();
    excused.push(kept);
    let output = builder.or(&excused);
    // What is chosen goes inwards, where its value is forced: the outermost block is the one whose turn it is.
    let is_chosen = |var: &Var| chosen.iter().any(|lit| lit.var() == *var);
    let (inner, outer): (Vec<_>, Vec<_>) = formula.prefix().quantified().partition(|(_, var)| is_chosen(var));
    let mut prefix = Prefix::new();
    outer.into_iter().chain(inner).for_each(|(quantifier, var)| prefix.push_var(quantifier, var));
    let names = formula.names.clone();
    QuantifiedCircuit::new(&prefix, builder.finish(output), names)
        .unwrap_or_else(|error| unreachable!("the prefix was one before: {error}"))
}
