//! What the search of Dots-and-Boxes relies on: keys, replies that were seen, openings that are left out; and the count of
//! long edges.

use crate::dots::{board, components, cut_down, graph, solved, value};
use gamesat::options::SequentialOptions;
use gamesat::rules::sequential::chains::{Filed, Network, Policy};
use gamesat::rules::sequential::endgame::Component::{Chain as C, Loop as L};
use gamesat::rules::sequential::strings::Strings;
use gamesat::rules::sequential::{Dots, Key, Rules};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn positions_of_many_strings_agree_without_replies_that_were_seen() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut replies = SequentialOptions::default();
    replies.replies_from = 0;
    let mut plain = SequentialOptions::default();
    plain.seen_replies = false;
    plain.mirror_images = false;
    for round in 0..120 {
        let dots = if round % 2 == 0 { cut_down(&mut random, board(3, 3), 20) } else { graph(&mut random, 20, 18) };
        let (one, two) = (solved(&dots, &replies, 1), solved(&dots, &plain, 1));
        assert_eq!((one.0, one.1), (two.0, two.1), "round {round}: {dots:?}");
    }
}

#[test]
fn keys_behind_moves_are_those_of_the_positions_behind_them() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let mut keys = 0;
    for round in 0..400 {
        let left = random.random_range(6..24);
        let dots = match round % 3 {
            0 => graph(&mut random, left + 2, left),
            1 => cut_down(&mut random, board(3, 3), left),
            _ => cut_down(&mut random, board(4, 3), left),
        };
        let mut strings = Strings::new(&dots);
        if dots.mover().is_none() || !strings.is_memorable() {
            continue;
        }
        for mv in dots.moves() {
            for mirror in [false, true] {
                let Some(place) = strings.place_behind(mv, mirror) else { continue };
                let (gain, undo) = strings.make(mv);
                assert_eq!(gain, 0);
                let key = if mirror { strings.canonical().0 } else { strings.key() };
                assert_eq!((place.key, place.near), (key, strings.is_near()), "{dots:?} {mv}");
                strings.unmake(mv, undo);
                keys += 1;
            }
        }
    }
    assert!(keys > 1000, "{keys}");
}

#[test]
fn positions_with_one_key_have_one_value() {
    let mut random = ChaCha8Rng::seed_from_u64(14);
    let (mut known, mut shared) = (std::collections::HashMap::new(), 0);
    for _ in 0..4000 {
        let left = random.random_range(7..11);
        let (across, down) = [(2, 2), (3, 2), (3, 3)][random.random_range(0..3)];
        let dots = cut_down(&mut random, board(across, down), left);
        let strings = Strings::new(&dots);
        if dots.mover().is_none() || !strings.is_memorable() {
            continue;
        }
        let Key { place, check } = strings.canonical().0;
        let drawn: Vec<u16> = dots.moves();
        let (first, value) = known.entry((across, down, place, check)).or_insert_with(|| (drawn.clone(), value(&dots)));
        if *first != drawn {
            shared += 1;
            let mut plain = SequentialOptions::default();
            plain.seen_positions = false;
            assert_eq!(i64::from(*value), solved(&dots, &plain, 1).0, "{dots:?}");
        }
    }
    assert!(shared > 100, "{shared}");
}

#[test]
fn shorter_structures_are_opened_first_without_loss() {
    let mut random = ChaCha8Rng::seed_from_u64(15);
    let rows = [[C(1), C(2)], [C(3), C(4)], [C(3), C(5)], [L(4), L(5)], [L(3), L(2)], [C(2), C(2)]];
    let mut left_out = 0;
    for round in 0..240 {
        // Beside two components of one kind two joints with arms to the ground, some of them long, and between each other.
        let mut strings = components(&rows[round % rows.len()]).strings().to_vec();
        let mut next = strings.iter().flatten().flatten().max().map_or(0, |coin| coin + 1);
        let joints = [next, next + 1];
        next += 2;
        for arm in 0..random.random_range(5..7) {
            let (mut last, to) = (joints[arm % 2], [None, Some(joints[1])][usize::from(arm == 0)]);
            let long = usize::from(round % 2 == 0 && arm > 2);
            for _ in 0..random.random_range(3 * long..2 + 3 * long) {
                strings.push([Some(last), Some(next)]);
                (last, next) = (next, next + 1);
            }
            strings.push([Some(last), to]);
        }
        let dots = Dots::graph(next, strings).unwrap();
        let rules = Strings::new(&dots);
        let (low, high, insight) = rules.survey(-100, 100);
        if !rules.is_memorable() || low == high {
            continue;
        }
        let (best, moves, _) = solved(&dots, &SequentialOptions::default(), 1);
        let mut candidates = Vec::new();
        rules.candidates(insight, &mut candidates);
        let steps: Vec<u16> = candidates.iter().map(|&mv| rules.step(mv)).collect();
        let good = |&(mv, value): &(u16, i64)| value == best && steps.contains(&mv);
        assert!(moves.iter().any(good), "round {round}: {dots:?}");
        let chains = Network::new(&dots).chains().len();
        left_out += usize::from(steps.iter().filter(|&&mv| is_in_chain(&dots, mv)).count() < chains);
    }
    assert!(left_out > 100, "{left_out}");
}

/// Whether a string belongs to a coin with two strings.
fn is_in_chain(dots: &Dots, string: u16) -> bool {
    dots.strings()[usize::from(string)].into_iter().flatten().any(|coin| dots.degree(coin) == 2)
}

#[test]
fn long_chains_are_counted_by_their_change() {
    let mut random = ChaCha8Rng::seed_from_u64(16);
    let long =
        |dots: &Dots| Network::new(dots).long_edges().iter().filter(|&&filed| filed == Filed::Chain).count() as isize;
    let mut changes = 0;
    for _ in 0..300 {
        let left = random.random_range(12..30);
        let dots = cut_down(&mut random, board(4, 4), left);
        let (mut network, policy) = (Network::new(&dots), Policy::new(&dots));
        for mv in dots.moves().into_iter().filter(|&mv| policy.priority(mv.into()) == 0) {
            let mut next = dots.clone();
            next.play(mv);
            let gained = network.long_chains_gained(mv.into());
            assert_eq!(gained, long(&next) - long(&dots), "{dots:?} {mv}");
            changes += usize::from(gained != 0);
        }
    }
    assert!(changes > 20, "{changes}");
}
