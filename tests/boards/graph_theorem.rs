//! Verdicts without search: self-dual positions and unequal sides of Hex.

use crate::support::graphs::{Case, Random, hex, random_case};
use gamesat::graph::Graph;
use gamesat::internals::graph_engine::{VertexGame, hex_pairing, is_self_dual};

fn position(graph: Graph, short: &[usize], cut: &[usize], short_to_move: bool) -> Case {
    let terminals = [graph.vertices() - 2, graph.vertices() - 1];
    Case { graph, terminals, short: short.to_vec(), cut: cut.to_vec(), short_to_move }
}

#[test]
fn square_hex_is_self_dual_and_other_boards_are_not() {
    for side in [1, 2, 3, 4, 5, 8, 11] {
        let board = hex(side, side);
        let game = VertexGame {
            graph: &board,
            terminals: [side * side, side * side + 1],
            short: &[],
            cut: &[],
            short_to_move: true,
        };
        assert!(is_self_dual(&game), "hex {side}");
    }
    for (columns, rows) in [(3, 4), (4, 3), (9, 8)] {
        assert!(!is_self_dual(&position(hex(columns, rows), &[], &[], true).game()));
    }
    // Black b3 and White c2 are images of each other; a stone more is not.
    assert!(is_self_dual(&position(hex(5, 5), &[11], &[7], false).game()));
    assert!(!is_self_dual(&position(hex(5, 5), &[11, 12], &[7], false).game()));
    assert!(!is_self_dual(&position(hex(1, 1), &[0], &[], false).game()), "the game is over");
}

#[test]
fn in_self_dual_positions_the_player_to_move_wins() {
    let mut random = Random(9);
    let mut seen = 0;
    for number in 0..1500 {
        let case = if number % 2 == 0 {
            random_case(&mut random, 9)
        } else {
            // Stones in symmetric pairs.
            let side = 3 + random.below(2);
            let mut case = position(hex(side, side), &[], &[], random.chance(50));
            for _ in 0..random.below(5) + side - 2 {
                let (x, y) = (random.below(side), random.below(side));
                let (cell, image) = (y * side + x, x * side + y);
                if x != y && [cell, image].iter().all(|stone| case.free().contains(stone)) {
                    case.short.push(cell);
                    case.cut.push(image);
                }
            }
            case
        };
        if case.free().len() <= 10 && is_self_dual(&case.game()) {
            seen += 1;
            assert_eq!(case.truth(), case.short_to_move, "{case:?}");
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn one_cell_of_every_pair_joins_the_shorter_sides() {
    assert_eq!(hex_pairing(4, 4), None);
    for (columns, rows) in [(2, 1), (3, 2), (4, 3), (5, 4), (7, 3), (1, 2), (2, 3), (3, 4), (4, 5), (2, 5)] {
        let pairs = hex_pairing(columns, rows).unwrap();
        let mut different = pairs.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), pairs.len());
        let wide = columns > rows;
        let everything: Vec<usize> = (0..columns * rows).collect();
        for choice in 0..1u32 << (pairs.len() / 2) {
            let owned = |two: &[(usize, usize)], at: usize| two[(choice >> at & 1) as usize];
            let cells: Vec<usize> =
                pairs.chunks(2).enumerate().map(|(at, two)| owned(two, at)).map(|(x, y)| y * columns + x).collect();
            let others: Vec<usize> = everything.iter().copied().filter(|cell| !cells.contains(cell)).collect();
            let (short, cut) = if wide { (cells, others) } else { (others, cells) };
            assert_eq!(position(hex(columns, rows), &short, &cut, true).truth(), wide, "{columns}x{rows} {choice:b}");
        }
    }
}
