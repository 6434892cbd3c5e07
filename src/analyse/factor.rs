//! The canonical form of a game: of the function itself if it has few elements, otherwise of the parts it falls into.
//!
//! If the clauses fall into groups without common elements, the formula is a conjunction of independent games, and its form
//! is the product of theirs; if the terms do, it is a disjunction. Prime forms show every such split. A group with too many
//! elements is split again by its other form. Elements on which nothing depends are stars.

use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Var};
use gamesat_games::theory::canonical::{CanonicalForm, MOST_ELEMENTS, Tabulated};
use gamesat_rows::normal;
use rustc_hash::FxHashMap;

/// Rows up to which prime forms are computed.
const ROWS: usize = 4096;
/// How often a part is split again.
const SPLITS: usize = 64;

/// What was found about a game's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The form.
    Form(CanonicalForm),
    /// A part with this many elements is too large.
    TooLarge(usize),
    /// It is none of the sixteen, as those of some games of seven and more elements.
    Unknown,
}

impl Found {
    /// The form, if it was found.
    pub fn form(self) -> Option<CanonicalForm> {
        match self {
            Found::Form(form) => Some(form),
            _ => None,
        }
    }
}

/// The canonical form of a position; whose turn it is does not matter.
///
/// # Errors
/// The reason to stop.
pub fn canonical_form(game: &Game, control: &Control) -> Result<Found, StopReason> {
    // 1. As it stands.
    let live = occurring(game);
    let found = if live.len() <= MOST_ELEMENTS {
        (tabulate(game, &live, control)?, live.len())
    } else {
        // 2. By parts.
        let rows = match normal::game_cnf(game, ROWS, control)? {
            Some(rows) => Some((rows, true)),
            None => normal::game_dnf(game, ROWS, control)?.map(|rows| (rows, false)),
        };
        let Some((rows, conjunction)) = rows else { return Ok(Found::TooLarge(live.len())) };
        let elements = rows.vars().len();
        (split(game, &rows, conjunction, SPLITS, control)?, elements)
    };
    // 3. Elements outside the formula.
    let stars = game.uncoloured() - found.1;
    Ok(match found.0 {
        Found::Form(form) if stars % 2 == 1 => Found::Form(form.with_star()),
        other => other,
    })
}

/// The uncoloured elements that occur in the formula.
fn occurring(game: &Game) -> Vec<Var> {
    let played: FxHashMap<Var, ()> = game.played().iter().map(|lit| (lit.var(), ())).collect();
    let mut live = match game.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.vars(),
        GameMatrix::Circuit(circuit) => (0..circuit.inputs()).map(Var::from_index).collect(),
    };
    live.retain(|var| !played.contains_key(var));
    live
}

/// The form of the function of these elements.
fn tabulate(game: &Game, live: &[Var], control: &Control) -> Result<Found, StopReason> {
    let tabulated = match game.matrix() {
        GameMatrix::Circuit(circuit) => {
            let mut given = vec![false; circuit.inputs()];
            for lit in game.played() {
                // An element outside the circuit has no input.
                if let Some(input) = given.get_mut(lit.var().index()) {
                    *input = lit.is_positive();
                }
            }
            let value = |colouring: usize| {
                let mut inputs = given.clone();
                live.iter().enumerate().for_each(|(e, var)| inputs[var.index()] = colouring >> e & 1 != 0);
                circuit.evaluate(&inputs)
            };
            Tabulated::new(live.len(), game.rule, value, control)?
        }
        GameMatrix::Cnf(rows) => {
            let rows = normal::condition(rows, game.played());
            let masks = masks(&rows, live);
            Tabulated::new(live.len(), game.rule, |colouring| hits(&masks, colouring), control)?
        }
        GameMatrix::Dnf(rows) => {
            let against: Vec<Lit> = game.played().iter().map(|&lit| !lit).collect();
            let rows = normal::condition(rows, &against);
            let masks = masks(&rows, live);
            Tabulated::new(live.len(), game.rule, |colouring| !hits(&masks, !colouring), control)?
        }
    };
    Ok(tabulated.form().map_or(Found::Unknown, Found::Form))
}

/// The positive and the negative literals of every row, as bits.
fn masks(rows: &ClauseArena, live: &[Var]) -> Vec<[usize; 2]> {
    let row = |row: &[Lit]| {
        let mut signs = [0; 2];
        for lit in row {
            let at = live.binary_search(&lit.var()).unwrap_or_else(|_| unreachable!("uncoloured elements are listed"));
            signs[usize::from(lit.is_negative())] |= 1 << at;
        }
        signs
    };
    rows.iter().map(row).collect()
}

/// Whether every row has a true literal.
fn hits(masks: &[[usize; 2]], colouring: usize) -> bool {
    masks.iter().all(|[positive, negative]| positive & colouring | negative & !colouring != 0)
}

/// The form of prime clauses or terms, split into groups that share no element, and these so many times again.
fn split(
    game: &Game,
    rows: &ClauseArena,
    conjunction: bool,
    splits: usize,
    control: &Control,
) -> Result<Found, StopReason> {
    let groups = components(rows);
    let mut result: Option<CanonicalForm> = None;
    for group in groups {
        let elements = group.vars();
        let matrix = |rows| if conjunction { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
        let found = if elements.len() <= MOST_ELEMENTS {
            let bound = elements.last().map_or(0, |var| var.index() + 1);
            let Ok(mut part) = Game::new(bound, matrix(group)) else { return Ok(Found::TooLarge(elements.len())) };
            part.rule = game.rule;
            tabulate(&part, &elements, control)?
        } else {
            match normal::dual(&group, ROWS, control)? {
                Some(other) if splits > 0 && components(&other).len() > 1 => {
                    split(game, &other, !conjunction, splits - 1, control)?
                }
                _ => Found::TooLarge(elements.len()),
            }
        };
        let Found::Form(form) = found else { return Ok(found) };
        result = Some(match result {
            None => form,
            Some(before) if conjunction => before.and(form),
            Some(before) => before.or(form),
        });
    }
    Ok(Found::Form(result.unwrap_or(CanonicalForm::decided(game.rule, conjunction))))
}

/// Groups of rows that share no element.
pub(super) fn components(rows: &ClauseArena) -> Vec<ClauseArena> {
    let mut leader: FxHashMap<Var, Var> = FxHashMap::default();
    fn find(leader: &mut FxHashMap<Var, Var>, var: Var) -> Var {
        let mut at = var;
        loop {
            let next = *leader.entry(at).or_insert(at);
            if next == at {
                return at;
            }
            let after = *leader.entry(next).or_insert(next);
            leader.insert(at, after);
            at = after;
        }
    }
    for row in rows {
        for pair in row.windows(2) {
            let (a, b) = (find(&mut leader, pair[0].var()), find(&mut leader, pair[1].var()));
            leader.insert(a, b);
        }
    }
    let mut groups: Vec<ClauseArena> = Vec::new();
    let mut number: FxHashMap<Var, usize> = FxHashMap::default();
    for row in rows {
        let Some(first) = row.first() else {
            // A constant: everything else was absorbed.
            return vec![rows.clone()];
        };
        let root = find(&mut leader, first.var());
        let at = *number.entry(root).or_insert_with(|| {
            groups.push(ClauseArena::new());
            groups.len() - 1
        });
        groups[at].push(row);
    }
    groups
}
