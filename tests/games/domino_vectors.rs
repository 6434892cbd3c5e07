//! The 74 vectors of the functions of dominoes, each by the name of its function and its number there.

use End::{Left as L, Right as R};
use gamesat::rules::Side::{self, First as P1, Second as P2};
use gamesat::rules::sequential::dominoes::{End, Laid, Row, Tile, average_pip, double_six, oriented};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Vectors that hold, by function.
#[derive(Default)]
struct Vectors(BTreeMap<&'static str, usize>);

impl Vectors {
    /// The next vector of a function.
    fn check<T: PartialEq + Debug>(&mut self, function: &'static str, got: T, expected: T) {
        let number = self.0.entry(function).or_insert(0);
        *number += 1;
        assert_eq!(got, expected, "vector {function} {number}");
    }
}

fn s(left: Tile, right: Tile) -> Row {
    Row::ends(left, right)
}

fn state(left: Tile, right: Tile, history: &[Laid]) -> Row {
    Row::Tiles { left, right, history: history.to_vec() }
}

const HA: [Laid; 3] = [((1, 5), P1, 2), ((5, 4), P1, 0), ((4, 4), P2, 1)];
const HB: [Laid; 3] = [((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 5), P1, 2)];
const HC: [Laid; 3] = [((0, 3), P1, 2), ((3, 1), P2, 1), ((1, 1), P1, 0)];
const HK: [Laid; 5] = [((0, 3), P1, 3), ((3, 4), P2, 2), ((4, 4), P1, 0), ((4, 5), P2, 1), ((5, 2), P1, 4)];

fn v1() -> (Row, Vec<Tile>) {
    let history = [((3, 5), P2, 3), ((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 1), P1, 2)];
    (state((3, 5), (4, 1), &history), vec![(5, 0), (5, 1), (5, 2), (5, 5), (3, 0), (3, 1)])
}

fn v2() -> (Row, Vec<Tile>) {
    let history = [((0, 5), P1, 3), ((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 0), P1, 2)];
    (state((0, 5), (4, 0), &history), vec![(3, 0), (2, 0), (1, 0), (0, 0), (6, 0), (3, 1)])
}

fn v3() -> (Row, Vec<Tile>, Vec<Tile>) {
    let history = [((1, 0), P1, 0), ((0, 0), P2, 1)];
    let small = double_six().into_iter().filter(|tile| tile.0 <= 3).collect();
    (state((1, 0), (0, 0), &history), vec![(3, 1), (2, 1), (1, 0), (1, 1)], small)
}

fn boards(v: &mut Vectors) {
    for (row, last, points) in [
        (Row::Empty, false, 0),
        (s((2, 2), (2, 1)), true, 2),
        (s((6, 1), (1, 4)), true, 3),
        (s((5, 3), (3, 10)), false, 8),
        (s((2, 4), (4, 0)), false, 0),
        (s((0, 0), (0, 0)), false, 0),
        (s((6, 6), (2, 3)), false, 8),
        (s((3, 3), (3, 3)), false, 2),
    ] {
        v.check("scoreBoard", row.score(last), points);
    }
    for (hand, row, blocked) in [
        (vec![(1, 2), (7, 3), (8, 3)], Row::Empty, false),
        (vec![(0, 4), (3, 9), (8, 3)], s((6, 1), (1, 5)), true),
        (vec![], s((6, 1), (1, 5)), true),
        (vec![(0, 4), (3, 9), (8, 3)], s((3, 1), (1, 4)), false),
        (vec![(0, 4), (5, 9), (8, 3)], s((6, 1), (1, 5)), false),
        (vec![(6, 4), (5, 6), (8, 3)], s((6, 1), (1, 2)), false),
        (vec![(0, 4), (5, 2), (8, 3)], s((2, 1), (1, 2)), false),
    ] {
        v.check("blocked", row.blocks(&hand), blocked);
    }
    for (tile, end, row, fits) in [
        ((4, 2), L, Row::Empty, true),
        ((5, 2), L, s((3, 3), (4, 5)), false),
        ((5, 2), R, s((3, 3), (4, 5)), true),
        ((2, 5), R, s((3, 3), (4, 5)), true),
        ((2, 1), R, s((6, 1), (2, 3)), false),
        ((2, 1), L, s((6, 1), (2, 3)), false),
    ] {
        v.check("canPlay", row.fits(tile, end), fits);
    }
}

fn tiles(v: &mut Vectors) {
    for (pip, end, turned) in
        [(4, L, Some((2, 4))), (4, R, Some((4, 2))), (2, L, Some((4, 2))), (2, R, Some((2, 4))), (8, R, None)]
    {
        v.check("orientDomino", oriented(pip, end, (4, 2)), turned);
    }
    v.check("playDom", Row::Empty.play(P1, (5, 4), L), Some(state((5, 4), (5, 4), &[((5, 4), P1, 0)])));
    v.check("playDom", s((3, 2), (2, 4)).play(P1, (5, 4), L), None);
    let [one, two] = [((2, 0), P1, 0), ((0, 1), P2, 1)];
    let row = state((2, 0), (0, 1), &[one, two]);
    v.check("playDom", row.play(P1, (2, 1), R), Some(state((2, 0), (1, 2), &[one, two, ((1, 2), P1, 2)])));
    v.check("playDom", row.play(P1, (2, 1), L), Some(state((1, 2), (0, 1), &[((1, 2), P1, 2), one, two])));

    let both = vec![(1, 2), (3, 5)];
    v.check("possPlays", Row::Empty.plays(&both), [both.clone(), both]);
    let hand = [(1, 2), (3, 5), (4, 1)];
    v.check("possPlays", s((1, 6), (4, 3)).plays(&hand), [vec![(1, 2), (4, 1)], vec![(3, 5)]]);
    let hand = [(6, 4), (4, 5), (4, 1)];
    v.check("possPlays", s((6, 6), (4, 4)).plays(&hand), [vec![(6, 4)], hand.to_vec()]);
    v.check("possPlays", s((0, 6), (4, 0)).plays(&hand), [vec![], vec![]]);
    v.check("possPlays", s((0, 6), (3, 1)).plays(&hand), [vec![], vec![(4, 1)]]);
    v.check("getAveragePip", average_pip(&[(4, 4), (4, 4), (4, 4)]), 4.0);
    v.check("getAveragePip", average_pip(&[(6, 5), (5, 4), (6, 4)]), 5.0);
    v.check("getAveragePip", average_pip(&[(6, 5), (1, 1), (6, 2)]), 3.5);
}

fn histories(v: &mut Vectors) {
    v.check("sequentialHistory", Row::Empty.sequence(), vec![]);
    for (history, order) in [
        (HA, [((5, 4), L, P1, 0), ((4, 4), R, P2, 1), ((1, 5), L, P1, 2)]),
        (HB, [((5, 4), L, P1, 0), ((4, 4), R, P2, 1), ((4, 5), R, P1, 2)]),
        (HC, [((1, 1), L, P1, 0), ((3, 1), L, P2, 1), ((0, 3), L, P1, 2)]),
    ] {
        v.check("sequentialHistory", state((0, 0), (0, 0), &history).sequence(), order.to_vec());
    }
    for (history, left, right) in [(HA, (1, 5), (4, 4)), (HB, (5, 4), (4, 5)), (HC, (0, 3), (1, 1))] {
        let row = state(left, right, &history);
        v.check("buildBoardState", Row::replayed(&row.sequence()), Some(row));
    }
    let none = [((3, 4), P1, 2), ((4, 4), P1, 0), ((4, 5), P2, 1)];
    let other = [((3, 4), P2, 2), ((4, 4), P1, 0), ((4, 5), P2, 1)];
    let knocks: [(&[Laid], Side, Vec<u8>); 6] = [
        (&none, P1, vec![]),
        (&none, P2, vec![]),
        (&HK, P1, vec![0, 5]),
        (&HK, P2, vec![4, 5]),
        (&other, P1, vec![]),
        (&other, P2, vec![4, 5]),
    ];
    for (history, me, pips) in knocks {
        v.check("opponentKnocks", state((9, 9), (9, 9), history).knocks(me), pips);
    }
}

fn other_hands(v: &mut Vectors) {
    let set = double_six();
    let hand = [(1, 1), (1, 0), (0, 0), (2, 2)];
    let without: Vec<Tile> = set.iter().copied().filter(|tile| !hand.contains(tile)).collect();
    v.check("opponentsPossibleDominoes", Row::Empty.unseen(&[], &set, P1, true), set.clone());
    v.check("opponentsPossibleDominoes", Row::Empty.unseen(&hand, &set, P1, true), without);
    let mut quiet = HK;
    (quiet[0].1, quiet[1].1) = (P2, P1);
    let row = state((0, 3), (5, 2), &quiet);
    // As the source counts, blind to how tiles are turned, and right.
    let counts = [false, true].map(|turned| row.unseen(&hand, &set, P1, turned).len());
    v.check("opponentsPossibleDominoes", counts, [22, 19]);
    let fewer = state((0, 3), (5, 2), &HK).unseen(&hand, &set, P1, false).len() < 22;
    v.check("opponentsPossibleDominoes", fewer, true);

    v.check("bestEndToPlay", Row::Empty.best_end((2, 3)), Some((L, 1)));
    v.check("bestEndToPlay", s((3, 3), (1, 2)).best_end((2, 3)), Some((R, 3)));
    v.check("bestEndToPlay", s((3, 3), (0, 1)).best_end((2, 3)), Some((L, 1)));

    let (row, hand) = v1();
    let replies = [false, true].map(|turned| {
        let mut replies = row.responses(&row.unseen(&hand, &set, P1, turned));
        replies.sort_unstable();
        replies
    });
    let all = vec![
        ((1, 0), R, 1),
        ((1, 1), R, 1),
        ((2, 1), R, 1),
        ((3, 2), L, 1),
        ((3, 3), L, 0),
        ((4, 3), L, 1),
        ((5, 3), L, 2),
        ((6, 1), R, 3),
        ((6, 3), L, 0),
    ];
    // The tile 53 lies on the table, turned.
    let right: Vec<_> = all.iter().copied().filter(|reply| reply.0 != (5, 3)).collect();
    v.check("possibleOpponentPlays", replies, [all, right]);
    let (row, hand) = v2();
    v.check("possibleOpponentPlays", row.responses(&row.unseen(&hand, &set, P1, true)), vec![]);
    let (row, hand, small) = v3();
    let unseen = row.unseen(&hand, &small, P1, true);
    v.check("possibleOpponentPlays", row.responses(&unseen), vec![((2, 0), R, 1), ((3, 0), R, 0)]);
    assert_eq!(row.best_response(&unseen), Some(((2, 0), R, 1)));
}

fn choices(v: &mut Vectors) {
    let row = s((0, 1), (5, 4));
    v.check("winningDomino", row.winning(&[(3, 0)], 30, 33), None);
    v.check("winningDomino", row.winning(&[(3, 0), (5, 0), (0, 0)], 30, 33), Some(((5, 0), L)));
    let row = s((0, 1), (5, 3));
    v.check("winningDomino", row.winning(&[(3, 3), (5, 0), (0, 3)], 30, 32), Some(((0, 3), L)));
    v.check("winningDomino", row.winning(&[(3, 3), (5, 0)], 30, 32), Some(((3, 3), R)));
    for (pip, row, tile, ends) in [
        (1, Row::Empty, (1, 0), [true, true]),
        (0, Row::Empty, (1, 0), [true, true]),
        (0, s((0, 3), (4, 0)), (1, 0), [false, false]),
        (1, s((0, 3), (4, 0)), (1, 0), [true, true]),
        (1, s((0, 3), (4, 1)), (1, 0), [true, false]),
        (4, s((0, 3), (4, 1)), (1, 4), [false, true]),
    ] {
        v.check("canPlayWithPip", row.shows(pip, tile), ends);
    }
    // The answers do not depend on whether turned tiles are recognised.
    let set = double_six();
    let both = |row: &Row, hand: &[Tile], set: &[Tile]| [false, true].map(|turned| row.blocking(hand, set, P1, turned));
    let (row, hand) = v1();
    v.check("blockingPlay", both(&row, &hand, &set), [Some(((5, 1), R)); 2]);
    let history = [((3, 5), P1, 3), ((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 0), P1, 2)];
    v.check("blockingPlay", both(&state((3, 5), (4, 0), &history), &hand, &set), [Some(((3, 0), L)); 2]);
    let (row, hand, small) = v3();
    v.check("blockingPlay", both(&row, &hand, &small), [Some(((1, 0), R)); 2]);
    assert_eq!(row.play(P1, (1, 0), R).unwrap().pips(), Some([1, 1]), "turned to (0,1)");
}

#[test]
fn all_seventy_four_vectors_hold() {
    let mut vectors = Vectors::default();
    for part in [boards, tiles, histories, other_hands, choices] {
        part(&mut vectors);
    }
    let expected = [
        ("bestEndToPlay", 3),
        ("blocked", 7),
        ("blockingPlay", 3),
        ("buildBoardState", 3),
        ("canPlay", 6),
        ("canPlayWithPip", 6),
        ("getAveragePip", 3),
        ("opponentKnocks", 6),
        ("opponentsPossibleDominoes", 4),
        ("orientDomino", 5),
        ("playDom", 4),
        ("possPlays", 5),
        ("possibleOpponentPlays", 3),
        ("scoreBoard", 8),
        ("sequentialHistory", 4),
        ("winningDomino", 4),
    ];
    assert_eq!(vectors.0, expected.into_iter().collect());
    assert_eq!(vectors.0.values().sum::<usize>(), 74);
}
