//! The strategy checker against minimax: whatever it accepts, however it came about, must name the right winner.

use gamesat::check::{StrategyError, evaluate_game};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Rule, Strategy, StrategyNode, Var};
use gamesat::solve::Control;
use gamesat_check::steps::check_strategy;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

/// A node that can be changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Leaf(Vec<Lit>, Vec<Lit>),
    Move(Lit, u32),
    Spare(u32),
    Replies(Vec<u32>, Vec<(Lit, u32)>),
}

/// The strategy of these nodes, or `None` if it cannot even be written down.
fn strategy(winner: Player, nodes: &[Node]) -> Option<Strategy> {
    let mut strategy = Strategy::new(winner);
    for (number, node) in nodes.iter().enumerate() {
        let (lits, after): (Vec<Lit>, Vec<u32>) = match node {
            Node::Replies(_, tied) => tied.iter().copied().unzip(),
            _ => Default::default(),
        };
        let node = match node {
            Node::Leaf(holds, pairs) => StrategyNode::Leaf { holds, pairs },
            Node::Move(lit, child) => StrategyNode::Move { lit: *lit, child: *child },
            Node::Spare(child) => StrategyNode::Spare { child: *child },
            Node::Replies(any, _) => StrategyNode::Replies { any, lits: &lits, after: &after },
        };
        if node.children().any(|child| child as usize >= number) {
            return None;
        }
        strategy.push(node);
    }
    Some(strategy)
}

fn accepts(game: &Game, strategy: &Strategy) -> bool {
    match check_strategy(game, strategy, &Control::default()) {
        Ok(_) => true,
        Err(StrategyError::Rejected(_)) => false,
        Err(StrategyError::Stopped(reason)) => panic!("stopped: {reason}"),
    }
}

fn winner(game: &Game) -> Player {
    evaluate_game(game, &Control::default()).unwrap().winner
}

fn random_game(random: &mut ChaCha8Rng, elements: usize) -> Game {
    let isotone = random.random_bool(0.4);
    let mut rows = ClauseArena::new();
    for _ in 0..random.random_range(1..=elements + 1) {
        for _ in 0..random.random_range(1..=3) {
            rows.push_lit(Var::from_index(random.random_range(0..elements)).lit(isotone || random.random_bool(0.5)));
        }
        rows.finish();
    }
    let matrix = if random.random_bool(0.5) { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    let mut game = Game::new(elements, matrix).unwrap();
    game.turn = if random.random_bool(0.5) { Player::Max } else { Player::Min };
    game.rule = if random.random_bool(0.6) { Rule::Any } else { Rule::Own };
    game.add_stars(random.random_range(0..=1));
    if random.random_bool(0.3) {
        game.play(&[Var::from_index(random.random_range(0..elements)).lit(random.random_bool(0.5))]).unwrap();
    }
    game
}

/// The whole game tree below a won position, every reply answered on its own, every element relied on.
fn full_strategy(game: &Game, nodes: &mut Vec<Node>, known: &mut FxHashMap<Node, u32>) -> u32 {
    let winner = winner(game);
    let after = |lit: Lit| {
        let mut next = game.clone();
        next.play(&[lit]).unwrap();
        next.turn = !game.turn;
        next
    };
    let uncoloured: Vec<Lit> = (0..game.elements())
        .map(Var::from_index)
        .filter(|&var| game.played().iter().all(|lit| lit.var() != var))
        .flat_map(|var| [var.positive(), var.negative()])
        .filter(|lit| game.rule.allows(game.turn, lit.is_positive()))
        .collect();
    let node = if uncoloured.is_empty() {
        let mut holds = game.played().to_vec();
        holds.sort_unstable();
        Node::Leaf(holds, Vec::new())
    } else if winner == game.turn {
        let lit = evaluate_game(game, &Control::default()).unwrap().winning_moves[0];
        Node::Move(lit, full_strategy(&after(lit), nodes, known))
    } else {
        let tied = uncoloured.iter().map(|&lit| (lit, full_strategy(&after(lit), nodes, known))).collect();
        Node::Replies(Vec::new(), tied)
    };
    *known.entry(node.clone()).or_insert_with(|| {
        nodes.push(node);
        nodes.len() as u32 - 1
    })
}

/// Changes something, anything.
fn mutate(nodes: &mut [Node], elements: usize, random: &mut ChaCha8Rng) {
    let at = random.random_range(0..nodes.len());
    let lit = Lit::from_code(random.random_range(0..2 * elements));
    let child = if at == 0 { 0 } else { random.random_range(0..at) as u32 };
    match (&mut nodes[at], random.random_range(0..6)) {
        (node, 0) if random.random_bool(0.4) => {
            let other = Lit::from_code(random.random_range(0..2 * elements));
            *node = if random.random_bool(0.3) {
                Node::Leaf(vec![lit], Vec::new())
            } else {
                Node::Leaf(Vec::new(), vec![lit, other])
            };
        }
        (node @ Node::Move(..), 0) => {
            let &mut Node::Move(_, child) = node else { return };
            *node = Node::Spare(child);
        }
        (Node::Leaf(holds, _), 0..=2) => {
            if !holds.is_empty() {
                holds.swap_remove(random.random_range(0..holds.len()));
            }
        }
        (Node::Leaf(holds, pairs), 3) => {
            if holds.len() >= 2 {
                let (one, two) = (holds.swap_remove(0), holds.swap_remove(0));
                pairs.extend([one, two]);
            }
        }
        (Node::Leaf(holds, pairs), _) => {
            if random.random_bool(0.5) {
                holds.push(lit)
            } else {
                pairs.extend([lit, !lit])
            }
        }
        (Node::Move(_, to) | Node::Spare(to), 1 | 2) => *to = child,
        (Node::Move(played, _), _) => *played = lit,
        (node @ Node::Spare(_), _) => *node = Node::Move(lit, child),
        (Node::Replies(any, tied), 0..=2) if !tied.is_empty() => {
            // The mustplay argument, perhaps wrongly applied.
            let (_, to) = tied.swap_remove(random.random_range(0..tied.len()));
            if random.random_bool(0.8) {
                any.push(to);
            }
        }
        (Node::Replies(any, tied), 3) => {
            if random.random_bool(0.5) {
                any.push(child)
            } else {
                tied.push((lit, child))
            }
        }
        (Node::Replies(any, _), _) => {
            if !any.is_empty() {
                any.swap_remove(random.random_range(0..any.len()));
            }
        }
    }
}

#[test]
fn accepted_mutants_have_the_right_winner() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (mut accepted, mut rejected, mut elsewhere) = (0, 0, 0);
    let mut kinds = [0; 4];
    for _ in 0..150 {
        let elements = random.random_range(2..=4);
        let game = random_game(&mut random, elements);
        let value = winner(&game);
        let mut nodes = Vec::new();
        full_strategy(&game, &mut nodes, &mut FxHashMap::default());
        assert!(accepts(&game, &strategy(value, &nodes).unwrap()), "{game:?}\n{nodes:?}");
        for _ in 0..150 {
            // Walk through the accepted ones, so that they move away from where they began.
            let mut mutant = nodes.clone();
            mutate(&mut mutant, game.elements(), &mut random);
            let Some(written) = strategy(value, &mutant) else { continue };
            // In another game nearby it may be right or wrong, but not wrong and accepted.
            let mut other = game.clone();
            match random.random_range(0..4) {
                0 => other.add_stars(1),
                1 => other.turn = !other.turn,
                2 => other.rule = if other.rule == Rule::Any { Rule::Own } else { Rule::Any },
                _ => other = random_game(&mut random, elements),
            }
            if accepts(&other, &written) {
                assert_eq!(winner(&other), value, "{other:?}\n{mutant:?}");
                elsewhere += 1;
            }
            if accepts(&game, &written) {
                nodes = mutant;
                accepted += 1;
            } else {
                rejected += 1;
            }
        }
        for node in &nodes {
            match node {
                Node::Leaf(_, pairs) => kinds[0] += usize::from(!pairs.is_empty()),
                Node::Move(..) => {}
                Node::Spare(_) => kinds[1] += 1,
                Node::Replies(any, tied) => {
                    kinds[2] += usize::from(!any.is_empty());
                    kinds[3] += usize::from(any.is_empty() && !tied.is_empty());
                }
            }
        }
    }
    assert!(accepted > 3_000 && rejected > 3_000 && elsewhere > 500, "{accepted} {rejected} {elsewhere}");
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
}

#[test]
fn the_loser_has_no_accepted_strategy() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let elements = random.random_range(1..=3);
        let game = random_game(&mut random, elements);
        let bound = 2 * game.elements();
        let mut nodes: Vec<Node> = Vec::new();
        let player = if random.random_bool(0.5) { Player::Max } else { Player::Min };
        for number in 0..random.random_range(1..=7u32) {
            let lit = Lit::from_code(random.random_range(0..bound));
            let child = if number == 0 { 0 } else { random.random_range(0..number) };
            nodes.push(match random.random_range(0..5) {
                _ if number == 0 => Node::Leaf(vec![lit], Vec::new()),
                0 => Node::Leaf(vec![lit, Lit::from_code(random.random_range(0..bound))], Vec::new()),
                1 => Node::Leaf(Vec::new(), vec![lit, Lit::from_code(random.random_range(0..bound))]),
                2 => Node::Move(lit, child),
                3 => Node::Spare(child),
                _ => Node::Replies(vec![child, number - 1], Vec::new()),
            });
        }
        if accepts(&game, &strategy(player, &nodes).unwrap()) {
            assert_eq!(winner(&game), player, "{game:?}\n{nodes:?}");
            accepted += 1;
        }
    }
    assert!(accepted > 50, "{accepted}");
}

fn game(cnf: bool, elements: usize, rows: &[&[i32]]) -> Game {
    let rows: ClauseArena =
        rows.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect();
    Game::new(elements, if cnf { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) }).unwrap()
}

fn verdict(game: &Game, text: &str) -> String {
    let strategy = gamesat::format::read_strategy(&mut text.as_bytes(), "text").unwrap();
    match check_strategy(game, &strategy, &Control::default()) {
        Ok(claim) => format!("holds {:?} open {:?}", claim.holds, claim.open),
        Err(error) => error.to_string(),
    }
}

#[test]
fn rejections_say_where_and_why() {
    // x1 = x2 with MAX to move: MIN wins, by answering.
    let mut equal = game(true, 2, &[&[-1, 2], &[1, -2]]);
    let answers = "p strategy min 7\nl -1 2 0 0\nl 1 -2 0 0\nm -2 2\nm 2 1\nm -1 1\nm 1 2\n";
    assert_eq!(verdict(&equal, &format!("{answers}r 0 1 3 -1 4 2 5 -2 6 0\n")), "holds [] open [1, 2]");
    assert_eq!(verdict(&equal, &format!("{answers}r 0 1 3 -1 4 2 5 0\n")), "node 7: the reply -2 is not answered");
    assert_eq!(verdict(&equal, &format!("{answers}r 3 4 0 0\n")), "node 7: element 1 is relied on twice");
    assert_eq!(
        verdict(&equal, &format!("{answers}r 3 0 -1 4 0\n")),
        "node 7: element 1 is relied on as coloured and as uncoloured"
    );
    assert_eq!(
        verdict(&equal, &format!("{answers}m 1 3\n")),
        "node 7: max would be to move, but it is min's turn there"
    );
    // With a star the parity is the other one, and the same strategy no longer answers a reply in the star.
    equal.add_stars(1);
    assert_eq!(
        verdict(&equal, &format!("{answers}r 0 1 3 -1 4 2 5 -2 6 0\n")),
        "node 7: a reply on which nothing rests is not answered"
    );
    // A pair is one leaf, whoever moves.
    let mut pairs = game(true, 4, &[&[1, 2], &[3, 4]]);
    assert_eq!(verdict(&pairs, "p strategy max 1\nl 0 1 2 3 4 0\n"), "holds [] open [1, 2, 3, 4]");
    pairs.turn = Player::Min;
    assert_eq!(verdict(&pairs, "p strategy max 1\nl 0 1 2 3 4 0\n"), "holds [] open [1, 2, 3, 4]");
    assert_eq!(verdict(&pairs, "p strategy max 1\nl 0 1 2 2 4 0\n"), "node 1: element 2 is in two pairs");
    assert_eq!(verdict(&pairs, "p strategy max 1\nl 0 1 2 0\n"), "node 1: the leaf does not decide the game");
    assert_eq!(verdict(&pairs, "p strategy max 1\nl 1 0 3 4 0\n"), "node 1: the root relies on 1, which is not played");
    assert_eq!(verdict(&pairs, "p strategy max 1\nl 5 0 0\n"), "node 1: element 5 is out of range: there are 4");
    pairs.rule = Rule::Own;
    assert_eq!(verdict(&pairs, "p strategy min 1\nl 0 1 2 0\n"), "node 1: min may not make 1 true");
    pairs.play(&[Lit::from_dimacs(1)]).unwrap();
    assert_eq!(verdict(&pairs, "p strategy max 1\nl 1 0 3 4 0\n"), "holds [1] open [3, 4]");
    assert_eq!(
        verdict(&pairs, "p strategy max 1\nl 0 1 2 3 4 0\n"),
        "node 1: the root needs element 1 uncoloured, but it is played"
    );
}

#[test]
fn billions_of_stars_are_no_trouble() {
    // x1 != x2 for MIN is x1 = x2 for MAX; an even number of stars changes nothing.
    let mut equal = game(true, 2_000_000_000, &[&[-1, 2], &[1, -2]]);
    let text = "p strategy min 7\nl -1 2 0 0\nl 1 -2 0 0\nm -2 2\nm 2 1\nm -1 1\nm 1 2\nr 0 1 3 -1 4 2 5 -2 6 0\n";
    assert_eq!(verdict(&equal, text), "holds [] open [1, 2]");
    equal.turn = Player::Min;
    assert_eq!(verdict(&equal, text), "node 7: a reply on which nothing rests is not answered");
    equal.add_stars(1);
    let spare = text.replace("min 7", "min 8") + "s 7\n";
    assert_eq!(verdict(&equal, &spare), "holds [] open [1, 2]");
}

#[test]
fn a_hostile_file_does_not_eat_the_memory() {
    // Every node derives a claim of 50,000 literals, and none is let go before the last.
    let size = 50_000;
    let rows: Vec<i32> = (1..=size).collect();
    let game = game(false, size as usize, &[&rows]);
    let mut strategy = Strategy::new(Player::Max);
    let holds: Vec<Lit> = rows.iter().map(|&n| Lit::from_dimacs(n)).collect();
    strategy.push(StrategyNode::Leaf { holds: &holds, pairs: &[] });
    for &lit in holds.iter().take(2_000) {
        strategy.push(StrategyNode::Move { lit, child: 0 });
    }
    let all: Vec<u32> = (1..strategy.len() as u32).collect();
    strategy.push(StrategyNode::Replies { any: &all, lits: &[], after: &[] });
    let error = check_strategy(&game, &strategy, &Control::default()).unwrap_err();
    assert_eq!(error, StrategyError::Stopped(gamesat::solve::StopReason::Memory));
}
