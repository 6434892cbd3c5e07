//! The lifted encoding: moves are binary numbers, and one universal cell stands for all of them.
//!
//! After the moves and a witness comes a universal number `p`. For this one cell the whole game is replayed: who took it
//! is a chain of two gates per ply, whatever the size of the board. The witness must then be right about `p` alone, and
//! since `p` is any cell it is right everywhere. In the style of Shaik and van de Pol (*Concise QBF encodings for games on
//! a grid*, 2023). Illegal moves have no effect, which an isotone game allows.

use super::layout::{Formula, Layout, differs, equals};
use super::target::Target;
use gamesat_core::formula::{CircuitBuilder, Lit, Player, Quantifier};
use gamesat_rows::connection::Connection;

/// How MAX shows that the target is reached.
enum Witness {
    /// Cells of paths by number: `paths[k][step]`, all paths beginning in the same cell.
    Paths(Vec<Vec<Vec<Lit>>>),
    /// The number of the set that is complete.
    Set(Vec<Lit>),
    /// Claimed ownership, cell by cell, and the witness of the target itself.
    Cells(Vec<Lit>, super::target::Witness),
}

/// The formula that is true exactly if MAX reaches the target within these plies.
pub(super) fn lifted(names: &[String], target: &Target<'_>, plies: &[Player]) -> Formula {
    let size = names.len();
    let mut layout = Layout::default();
    let (mut max, mut min) = (0, 0);
    let moves: Vec<(Player, Vec<Lit>)> = plies
        .iter()
        .map(|&player| {
            let (count, kind, name) = match player {
                Player::Max => (&mut max, Quantifier::Exists, "max"),
                Player::Min => (&mut min, Quantifier::Forall, "min"),
            };
            *count += 1;
            (player, layout.number(kind, size, &format!("{name}{count}")))
        })
        .collect();
    let witness = match target {
        Target::Connect(graph) => {
            let steps = max.min(size);
            let first = layout.number(Quantifier::Exists, size, "path0");
            let paths = if graph.terminals == 2 { 1 } else { graph.terminals };
            Witness::Paths(
                (0..paths)
                    .map(|path| {
                        let mut cells = vec![first.clone()];
                        cells.extend(
                            (1..steps).map(|s| layout.number(Quantifier::Exists, size, &format!("path{path}_{s}"))),
                        );
                        cells
                    })
                    .collect(),
            )
        }
        Target::Complete(sets) => Witness::Set(layout.number(Quantifier::Exists, sets.len(), "set")),
        _ => {
            let cells = names.iter().map(|name| layout.named(Quantifier::Exists, name.clone())).collect();
            let inner = target.witness(&mut layout, max);
            Witness::Cells(cells, inner)
        }
    };
    let p = layout.number(Quantifier::Forall, size, "cell");

    let mut b = CircuitBuilder::new(layout.size());
    // Who took `p`: `mine` and `theirs` after each ply.
    let mut mine = b.constant(false);
    let mut theirs = b.constant(false);
    for (player, number) in &moves {
        let here = same(&mut b, number, &p);
        let (own, other) = match player {
            Player::Max => (&mut mine, theirs),
            Player::Min => (&mut theirs, mine),
        };
        let taken = b.and(&[here, !other]);
        *own = b.or(&[*own, taken]);
    }
    let mut all = Vec::new();
    match (&witness, target) {
        (Witness::Paths(paths), Target::Connect(graph)) => walk(graph, paths, &p, mine, &mut b, &mut all),
        (Witness::Set(number), Target::Complete(sets)) => {
            // The set exists, and if `p` is in it, it is mine.
            let exists: Vec<Lit> = (0..sets.len()).map(|set| b.and(&equals(number, set).collect::<Vec<_>>())).collect();
            all.push(b.or(&exists));
            for (set, &chosen) in sets.iter().zip(&exists) {
                for &cell in set {
                    let mut clause: Vec<Lit> = differs(&p, cell).collect();
                    clause.extend([!chosen, mine]);
                    all.push(b.or(&clause));
                }
            }
        }
        (Witness::Cells(cells, inner), target) => {
            for (cell, &claimed) in cells.iter().enumerate() {
                let mut clause: Vec<Lit> = differs(&p, cell).collect();
                clause.extend([!claimed, mine]);
                all.push(b.or(&clause));
            }
            target.constrain(&mut b, inner, cells, &mut all);
        }
        _ => unreachable!("the witness was made for the target"),
    }
    let output = b.and(&all);
    layout.finish(b.finish(output))
}

/// A gate that says that two numbers are equal.
pub(super) fn same(b: &mut CircuitBuilder, left: &[Lit], right: &[Lit]) -> Lit {
    let bits: Vec<Lit> = left.iter().zip(right).map(|(&l, &r)| !b.xor(l, r)).collect();
    b.and(&bits)
}

/// Paths that step from cell to neighbour (or stay), end at their terminals, and are mine where they meet `p`.
fn walk(graph: &Connection, paths: &[Vec<Vec<Lit>>], p: &[Lit], mine: Lit, b: &mut CircuitBuilder, all: &mut Vec<Lit>) {
    let size = graph.elements.len();
    let is: Vec<Lit> = (0..size).map(|cell| b.and(&equals(p, cell).collect::<Vec<_>>())).collect();
    let among = |b: &mut CircuitBuilder, cells: &mut dyn Iterator<Item = usize>| {
        let lits: Vec<Lit> = cells.map(|cell| is[cell]).collect();
        b.or(&lits)
    };
    // The neighbours of `p` as numbers, `p` itself standing in where there are fewer.
    let degree = graph.neighbours.iter().map(Vec::len).max().unwrap_or(0);
    let near: Vec<Vec<Lit>> = (0..degree)
        .map(|which| {
            let neighbour = |cell: usize| graph.neighbours[cell].get(which).copied().unwrap_or(cell);
            (0..p.len()).map(|bit| among(b, &mut (0..size).filter(|&cell| neighbour(cell) >> bit & 1 != 0))).collect()
        })
        .collect();
    let touching: Vec<Lit> = (0..graph.terminals)
        .map(|terminal| among(b, &mut (0..size).filter(|&cell| graph.touches[cell] >> terminal & 1 != 0)))
        .collect();
    let valid = among(b, &mut (0..size));
    for (path, cells) in paths.iter().enumerate() {
        let target = if paths.len() == 1 { touching[1] } else { touching[path] };
        for (step, cell) in cells.iter().enumerate() {
            let here = same(b, cell, p);
            let mut wanted = vec![mine, valid];
            if step == 0 && paths.len() == 1 {
                wanted.push(touching[0]);
            }
            match cells.get(step + 1) {
                None => wanted.push(target),
                Some(next) => {
                    let mut ways = vec![same(b, next, p)];
                    ways.extend(near.iter().map(|neighbour| same(b, next, neighbour)));
                    wanted.push(b.or(&ways));
                }
            }
            for lit in wanted {
                all.push(b.or(&[!here, lit]));
            }
        }
    }
}
