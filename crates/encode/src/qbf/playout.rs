//! Games that are not isotone: every ply is played, and whoever breaks the rules loses.
//!
//! A pass could help here, so an illegal move cannot be ignored. The verdict is a chain from the last ply to the first: at
//! MAX's plies "legal and then", at MIN's "illegal or else". Two dead elements cancel, so at most one of them is played.
//! In a game that ends early MAX must have won whatever the uncoloured elements become: they are universal.

use super::super::Encoding;
use super::layout::{Formula, Layout, differs, equals};
use super::lifted::same;
use gamesat_core::formula::{CircuitBuilder, Game, GameMatrix, Lit, Player, Quantifier, Rule, Var};
use rustc_hash::FxHashMap;

/// A ply: who moves, the element's number, the colour.
struct Ply {
    player: Player,
    number: Vec<Lit>,
    /// `None` if the rule leaves no choice.
    colour: Option<Lit>,
}

/// The formula that is true exactly if MAX wins the game within these plies. `names` are those of the uncoloured
/// elements that are played, of which `elements` occur in the formula.
pub(super) fn playout(
    game: &Game,
    elements: &[Var],
    names: &[String],
    plies: &[Player],
    encoding: Encoding,
) -> Formula {
    let size = names.len();
    let mut layout = Layout::default();
    let mut counts = [0, 0];
    let moves: Vec<Ply> = plies
        .iter()
        .map(|&player| {
            let (kind, name, count) = match player {
                Player::Max => (Quantifier::Exists, "max", &mut counts[0]),
                Player::Min => (Quantifier::Forall, "min", &mut counts[1]),
            };
            *count += 1;
            let number = layout.number(kind, size, &format!("{name}{count}"));
            let colour = (game.rule == Rule::Any).then(|| layout.named(kind, format!("{name}{count}_colour")));
            Ply { player, number, colour }
        })
        .collect();
    let open: Vec<Lit> =
        if plies.len() < size { elements.iter().map(|_| layout.var(Quantifier::Forall)).collect() } else { Vec::new() };
    let claimed: Vec<Lit> = match encoding {
        Encoding::Explicit => Vec::new(),
        Encoding::Lifted => {
            names[..elements.len()].iter().map(|name| layout.named(Quantifier::Exists, name.clone())).collect()
        }
    };
    let p = match encoding {
        Encoding::Explicit => Vec::new(),
        Encoding::Lifted => layout.number(Quantifier::Forall, size, "cell"),
    };

    let mut b = CircuitBuilder::new(layout.size());
    let colours: Vec<Lit> =
        moves.iter().map(|ply| ply.colour.unwrap_or_else(|| b.constant(ply.player.colour()))).collect();
    let (legal, values, check) = match encoding {
        Encoding::Explicit => {
            let (legal, values) = by_cell(&mut b, &moves, &colours, elements.len(), size, &open);
            (legal, values, Vec::new())
        }
        Encoding::Lifted => {
            let legal = by_pair(&mut b, &moves, size);
            let check = by_symbol(&mut b, &moves, &colours, &claimed, &p, &open);
            (legal, claimed, check)
        }
    };
    let mut all = check;
    let local: FxHashMap<Var, Lit> = elements.iter().copied().zip(values).collect();
    all.push(matrix(&mut b, game, &local));
    let mut result = b.and(&all);
    for (ply, &legal) in moves.iter().zip(&legal).rev() {
        result = match ply.player {
            Player::Max => b.and(&[legal, result]),
            Player::Min => b.or(&[!legal, result]),
        };
    }
    layout.finish(b.finish(result))
}

/// Legality of each ply and the final value of each element, from a table of cells and plies.
fn by_cell(
    b: &mut CircuitBuilder,
    moves: &[Ply],
    colours: &[Lit],
    elements: usize,
    size: usize,
    open: &[Lit],
) -> (Vec<Lit>, Vec<Lit>) {
    let no = b.constant(false);
    let mut taken = vec![no; size];
    let mut value = vec![no; size];
    let mut legal = Vec::with_capacity(moves.len());
    for (ply, &colour) in moves.iter().zip(colours) {
        let mut free = Vec::with_capacity(size);
        for cell in 0..size {
            let here = b.and(&equals(&ply.number, cell).collect::<Vec<_>>());
            free.push(b.and(&[here, !taken[cell]]));
            if cell < elements {
                let coloured = b.and(&[here, colour]);
                value[cell] = b.or(&[value[cell], coloured]);
            }
            taken[cell] = b.or(&[taken[cell], here]);
        }
        legal.push(b.or(&free));
    }
    value.truncate(elements);
    for (cell, &any) in open.iter().enumerate() {
        // As long as everything is legal a cell that was not taken has the value false so far.
        let left = b.and(&[!taken[cell], any]);
        value[cell] = b.or(&[value[cell], left]);
    }
    (legal, value)
}

/// Legality of each ply by comparing it with the earlier ones.
fn by_pair(b: &mut CircuitBuilder, moves: &[Ply], size: usize) -> Vec<Lit> {
    let mut legal = Vec::with_capacity(moves.len());
    for (index, ply) in moves.iter().enumerate() {
        let mut all = Vec::with_capacity(index + 1);
        for earlier in &moves[..index] {
            all.push(!same(b, &ply.number, &earlier.number));
        }
        // Numbers beyond the last cell name nothing.
        for beyond in size..1 << ply.number.len() {
            all.push(b.or(&differs(&ply.number, beyond).collect::<Vec<_>>()));
        }
        legal.push(b.and(&all));
    }
    legal
}

/// The claimed colours are right about the cell `p`.
fn by_symbol(
    b: &mut CircuitBuilder,
    moves: &[Ply],
    colours: &[Lit],
    claimed: &[Lit],
    p: &[Lit],
    open: &[Lit],
) -> Vec<Lit> {
    let (mut taken, mut values) = (Vec::new(), Vec::new());
    for (ply, &colour) in moves.iter().zip(colours) {
        let here = same(b, &ply.number, p);
        taken.push(here);
        values.push(b.and(&[here, colour]));
    }
    let taken = b.or(&taken);
    let value = b.or(&values);
    let mut check = Vec::new();
    for (cell, &claim) in claimed.iter().enumerate() {
        let right = match open.get(cell) {
            None => !b.xor(claim, value),
            Some(&any) => {
                let left = b.and(&[!taken, any]);
                let really = b.or(&[value, left]);
                !b.xor(claim, really)
            }
        };
        let mut clause: Vec<Lit> = differs(p, cell).collect();
        clause.push(right);
        check.push(b.or(&clause));
    }
    check
}

/// The formula over these literals, with the played colours filled in.
pub(super) fn matrix(b: &mut CircuitBuilder, game: &Game, values: &FxHashMap<Var, Lit>) -> Lit {
    let (no, yes) = (b.constant(false), b.constant(true));
    let played: FxHashMap<Var, bool> = game.played().iter().map(|lit| (lit.var(), lit.is_positive())).collect();
    let value = |lit: &Lit| {
        let inner = match (values.get(&lit.var()), played.get(&lit.var())) {
            (Some(&value), _) => value,
            (None, Some(true)) => yes,
            (None, _) => no,
        };
        if lit.is_positive() { inner } else { !inner }
    };
    match game.matrix() {
        GameMatrix::Cnf(rows) => {
            let clauses: Vec<Lit> = rows.iter().map(|row| b.or(&row.iter().map(value).collect::<Vec<_>>())).collect();
            b.and(&clauses)
        }
        GameMatrix::Dnf(rows) => {
            let terms: Vec<Lit> = rows.iter().map(|row| b.and(&row.iter().map(value).collect::<Vec<_>>())).collect();
            b.or(&terms)
        }
        GameMatrix::Circuit(circuit) => {
            let mut copies: Vec<Lit> =
                (0..circuit.inputs()).map(|input| value(&Var::from_index(input).positive())).collect();
            let lit = |copies: &[Lit], lit: Lit| {
                let copy = copies[lit.var().index()];
                if lit.is_positive() { copy } else { !copy }
            };
            for gate in circuit.gates() {
                let operands: Vec<Lit> = gate.operands.iter().map(|&operand| lit(&copies, operand)).collect();
                copies.push(b.gate(gate.kind, &operands));
            }
            lit(&copies, circuit.output())
        }
    }
}
