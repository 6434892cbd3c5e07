//! Small random games with colours.

use gamesat::formula::{ClauseArena, Colouring, Player, Rule, Var};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A random game of a few elements; `isotone`: colour 1 is best for MAX and the last one for MIN in every element.
pub fn random_game(random: &mut ChaCha8Rng, elements: usize, colours: usize, isotone: bool) -> Colouring {
    let mut rows = ClauseArena::new();
    for _ in 0..random.random_range(1..=elements + 1) {
        for _ in 0..random.random_range(1..=3) {
            let (element, colour) = (random.random_range(0..elements), random.random_range(0..colours));
            let atom = |colour: usize| Var::from_index(element * colours + colour).positive();
            if isotone {
                // A set of colours that has, with one colour, all before it: the last one is missing.
                let upto = random.random_range(0..colours - 1);
                let conjunction_of_others = random.random_bool(0.3);
                if conjunction_of_others {
                    rows.push_lit(!atom(colours - 1));
                } else {
                    (0..=upto).for_each(|colour| rows.push_lit(atom(colour)));
                }
            } else {
                rows.push_lit(if random.random_bool(0.7) { atom(colour) } else { !atom(colour) });
            }
        }
        rows.finish();
    }
    let conjunction = isotone || random.random();
    let mut game = Colouring::new(elements + random.random_range(0..2), colours, conjunction, rows).unwrap();
    game.turn = if random.random() { Player::Max } else { Player::Min };
    for element in 0..elements {
        if !isotone && random.random_bool(0.15) {
            game.set_domain(Var::from_index(element), random.random_range(1..1 << colours));
        }
    }
    if random.random_bool(0.3) {
        let moves = game.moves();
        let atom = moves[random.random_range(0..moves.len())];
        game.play(&[atom]).unwrap();
    }
    game
}

/// The same with a score, with elements for one player alone, or with colours for one player alone.
pub fn vary(random: &mut ChaCha8Rng, game: Colouring) -> Colouring {
    let mut game = game;
    if random.random() {
        let weights = game.rows().iter().map(|_| random.random_range(-3..=5)).collect();
        game = game.with_weights(weights);
    }
    if random.random_range(0..3) == 0 {
        for element in 0..game.elements() {
            if random.random() {
                game.restrict(Var::from_index(element), if random.random() { Player::Max } else { Player::Min });
            }
        }
    }
    if game.colours() == 2 && random.random_range(0..3) == 0 {
        game.rule = Rule::Own;
    }
    game
}
