//! Reductions of games, and slightly different ones: a judge that takes a win of the smaller game for one of the larger is
//! asked about pairs that do not belong together.

use gamesat::formula::{ClauseArena, GameMatrix, Lit, Player, Promise, Reduction, Var};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Another reduction: a row or a literal of the game or of a promise changed, another element, player or number of stars.
pub fn other_reduction(random: &mut ChaCha8Rng, reduction: &Reduction) -> Reduction {
    let mut other = reduction.clone();
    let (cnf, mut rows) = match reduction.game.matrix() {
        GameMatrix::Cnf(rows) => (true, rows.iter().map(<[Lit]>::to_vec).collect::<Vec<_>>()),
        GameMatrix::Dnf(rows) => (false, rows.iter().map(<[Lit]>::to_vec).collect()),
        GameMatrix::Circuit(_) => unreachable!(),
    };
    let mut stars = 0;
    match random.random_range(0..8) {
        0 if !rows.is_empty() => drop(rows.swap_remove(random.random_range(0..rows.len()))),
        1 if rows.iter().any(|row| !row.is_empty()) => loop {
            let at = random.random_range(0..rows.len());
            if !rows[at].is_empty() {
                let lit = random.random_range(0..rows[at].len());
                rows[at][lit] = !rows[at][lit];
                break;
            }
        },
        2 if other.promises.iter().any(|promise| !promise.rows.is_empty()) => {
            let at = random.random_range(0..other.promises.len());
            let row = random.random_range(0..other.promises[at].rows.len());
            let lit = random.random_range(0..other.promises[at].rows[row].len());
            if random.random() {
                other.promises[at].rows[row].swap_remove(lit);
            } else {
                other.promises[at].rows[row][lit] = !other.promises[at].rows[row][lit];
            }
        }
        3 if !other.promises.is_empty() => {
            let at = random.random_range(0..other.promises.len());
            if random.random() {
                other.promises.swap_remove(at);
            } else {
                other.promises[at].captor = !other.promises[at].captor;
            }
        }
        4 if !other.origin.is_empty() => {
            let at = random.random_range(0..other.origin.len());
            other.origin[at] = Some(Var::from_index(random.random_range(0..8)));
        }
        5 => stars = 1,
        6 => other.promises.push(random_promise(random, reduction)),
        _ => other.game.turn = !other.game.turn,
    }
    let rows: ClauseArena = rows.into_iter().collect();
    let matrix = if cnf { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    other.game = other.game.with_matrix(matrix);
    other.game.add_stars(stars);
    other.origin.resize(other.game.elements(), None);
    other
}

/// Something that a player might see to in two or three elements that the smaller game has not.
fn random_promise(random: &mut ChaCha8Rng, reduction: &Reduction) -> Promise {
    let used = |var: &Var| reduction.origin.contains(&Some(*var));
    let free: Vec<Var> =
        (0..8).map(Var::from_index).filter(|var| !used(var)).take(random.random_range(2..=3)).collect();
    let row = |random: &mut ChaCha8Rng| free.iter().map(|var| var.lit(random.random())).collect::<Vec<Lit>>();
    let first = row(random);
    let opposite = first.iter().map(|&lit| !lit).collect();
    let second = if random.random() { opposite } else { row(random) };
    Promise { captor: if random.random() { Player::Max } else { Player::Min }, rows: vec![first, second] }
}
