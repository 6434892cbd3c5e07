//! Games made of games (*Set Colouring Games* 6.2): all, some, an odd number or more than half of them are to be won.
//!
//! Elements with the same name are the same element; those without a name are elements of their own. Elements outside a
//! game's formula count in the composition too.

use gamesat_core::formula::{CircuitBuilder, ClauseArena, Game, GameMatrix, GateKind, Lit, Var};
use rustc_hash::FxHashMap;

/// How games are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// MAX has to win all.
    And,
    /// MAX has to win one.
    Or,
    /// MAX has to win an odd number.
    Xor,
    /// MAX has to win more than half.
    Majority,
    /// MAX has to lose it; one game only.
    Not,
}

/// Why games cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    /// No game, or several where one is needed.
    #[error("{0}")]
    Number(&'static str),
    /// The rules differ.
    #[error("one game has rule {0}, another rule {1}")]
    Rules(String, String),
    /// An element has different colours in two games.
    #[error("element {0} has different colours")]
    Colours(String),
    /// Too many elements, or too many games for a majority.
    #[error("the composition is too large")]
    TooLarge,
}

/// Combines games. The turn is that of the first.
///
/// # Errors
/// The games do not fit together.
pub fn compose(composition: Composition, games: &[Game]) -> Result<Game, CompositionError> {
    let first = games.first().ok_or(CompositionError::Number("no game to compose"))?;
    if composition == Composition::Not && games.len() > 1 {
        return Err(CompositionError::Number("'not' takes one game"));
    }
    if composition == Composition::Majority && games.len().is_multiple_of(2) {
        return Err(CompositionError::Number("a majority needs an odd number of games"));
    }
    if let Some(other) = games.iter().find(|game| game.rule != first.rule) {
        return Err(CompositionError::Rules(first.rule.to_string(), other.rule.to_string()));
    }
    // 1. Elements.
    let mut by_name: FxHashMap<String, Var> = FxHashMap::default();
    let mut maps: Vec<Vec<Var>> = Vec::new();
    let mut total = 0usize;
    for game in games {
        if total + game.elements() > 1 << 24 {
            return Err(CompositionError::TooLarge);
        }
        let map = (0..game.elements()).map(|element| {
            let mut fresh = || {
                total += 1;
                Var::from_index(total - 1)
            };
            match game.names.get(Var::from_index(element)) {
                Some(name) => *by_name.entry(name.to_owned()).or_insert_with(fresh),
                None => fresh(),
            }
        });
        let map = map.collect();
        maps.push(map);
    }
    // 2. Formulas.
    let mut builder = CircuitBuilder::new(total);
    let outputs: Vec<Lit> = games.iter().zip(&maps).map(|(game, map)| output(&mut builder, game, map)).collect();
    let whole = match composition {
        Composition::And => builder.and(&outputs),
        Composition::Or => builder.or(&outputs),
        Composition::Xor => builder.gate(GateKind::Xor, &outputs),
        Composition::Not => !outputs[0],
        Composition::Majority => majority(&mut builder, &outputs).ok_or(CompositionError::TooLarge)?,
    };
    let circuit = builder.finish(whole);
    let mut result = Game::new(total, GameMatrix::Circuit(circuit)).map_err(|_| CompositionError::TooLarge)?;
    (result.rule, result.turn) = (first.rule, first.turn);
    for (name, &var) in &by_name {
        result.names.insert(var, name);
    }
    // 3. Colours.
    let mut colours: FxHashMap<Var, bool> = FxHashMap::default();
    for (game, map) in games.iter().zip(&maps) {
        for lit in game.played() {
            let var = map[lit.var().index()];
            if *colours.entry(var).or_insert(lit.is_positive()) != lit.is_positive() {
                return Err(CompositionError::Colours(result.names.display(var)));
            }
        }
    }
    let mut played: Vec<Lit> = colours.into_iter().map(|(var, colour)| var.lit(colour)).collect();
    played.sort_unstable();
    result.play(&played).map_err(|_| CompositionError::TooLarge)?;
    Ok(result)
}

/// The output of a game's formula in the circuit of the whole.
fn output(builder: &mut CircuitBuilder, game: &Game, map: &[Var]) -> Lit {
    let mapped = |lit: &Lit| map[lit.var().index()].lit(lit.is_positive());
    let mut rows = |rows: &ClauseArena, inner: GateKind, outer: GateKind| {
        let gates: Vec<Lit> =
            rows.iter().map(|row| builder.gate(inner, &row.iter().map(mapped).collect::<Vec<_>>())).collect();
        builder.gate(outer, &gates)
    };
    match game.matrix() {
        GameMatrix::Cnf(clauses) => rows(clauses, GateKind::Or, GateKind::And),
        GameMatrix::Dnf(terms) => rows(terms, GateKind::And, GateKind::Or),
        GameMatrix::Circuit(circuit) => {
            let mut all: Vec<Lit> = (0..circuit.inputs()).map(|input| map[input].positive()).collect();
            let found = |all: &[Lit], lit: Lit| {
                if lit.is_positive() { all[lit.var().index()] } else { !all[lit.var().index()] }
            };
            for gate in circuit.gates() {
                let operands: Vec<Lit> = gate.operands.iter().map(|&lit| found(&all, lit)).collect();
                all.push(builder.gate(gate.kind, &operands));
            }
            found(&all, circuit.output())
        }
    }
}

/// More than half of the outputs: counted by a triangle of "at least k of the first n".
fn majority(builder: &mut CircuitBuilder, outputs: &[Lit]) -> Option<Lit> {
    if outputs.len() > 101 {
        return None;
    }
    let half = outputs.len() / 2 + 1;
    let (no, yes) = (builder.constant(false), builder.constant(true));
    let mut at_least = vec![no; half + 1];
    at_least[0] = yes;
    for &output in outputs {
        for k in (1..=half).rev() {
            let more = builder.and(&[output, at_least[k - 1]]);
            at_least[k] = builder.or(&[at_least[k], more]);
        }
    }
    Some(at_least[half])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::canonical_form;
    use gamesat_core::control::Control;
    use gamesat_core::formula::Rule;

    fn game(rows: &[&[i32]], names: &[&str]) -> Game {
        let rows: ClauseArena =
            rows.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect();
        let mut game = Game::new(names.len(), GameMatrix::Cnf(rows)).unwrap();
        for (at, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            game.names.insert(Var::from_index(at), name);
        }
        game
    }

    fn form(game: &Game) -> &'static str {
        canonical_form(game, &Control::default()).unwrap().form().unwrap().name()
    }

    #[test]
    fn forms_of_compositions() {
        let equal = game(&[&[1, -2], &[-1, 2]], &["", ""]);
        let one = game(&[&[1]], &[""]);
        let parts = [one.clone(), equal.clone()];
        assert_eq!(form(&compose(Composition::And, &parts).unwrap()), "Z□|F");
        assert_eq!(form(&compose(Composition::Or, &parts).unwrap()), "T|Z□");
        assert_eq!(form(&compose(Composition::Not, &parts[1..]).unwrap()), "Z□");
        let three = [one.clone(), one.clone(), one.clone()];
        let majority = compose(Composition::Majority, &three).unwrap();
        assert_eq!(majority.elements(), 3);
        assert_eq!(form(&majority), "X");
        assert_eq!(form(&compose(Composition::Xor, &three).unwrap()), "Z□*");
    }

    #[test]
    fn names_identify_elements() {
        let (a, b) = (game(&[&[1, 2]], &["x", "y"]), game(&[&[1, 2]], &["y", "z"]));
        let both = compose(Composition::And, &[a.clone(), b.clone()]).unwrap();
        assert_eq!(both.elements(), 3);
        assert_eq!(form(&both), "X");
        let (mut played, mut against) = (a.clone(), b);
        played.play(&[Lit::from_dimacs(2)]).unwrap();
        against.play(&[Lit::from_dimacs(-1)]).unwrap();
        assert_eq!(compose(Composition::And, &[played, against]), Err(CompositionError::Colours("y".to_owned())));
        let mut other = a.clone();
        other.rule = Rule::Own;
        assert!(matches!(compose(Composition::Or, &[a, other]), Err(CompositionError::Rules(..))));
    }
}
