//! Dots-and-Boxes and Strings-and-Coins: the search against the definition and the selection library, with every switch on
//! and off; the exact endgame; the published values.

use crate::support::parse::parse;
use crate::support::switches::switches;
use gamesat::Problem;
use gamesat::check::evaluate_sequential;
use gamesat::control::{Control, Limits, StopReason};
use gamesat::format::{Format, to_string};
use gamesat::options::SequentialOptions;
use gamesat::play::players::{Setting, cycle_is_dealt, double_crosses, find, run, wants_even_chains};
use gamesat::rules::Side;
use gamesat::rules::sequential::chains::{self, Chain, Filed, Label, Network, Policy, Reckoning};
use gamesat::rules::sequential::endgame::{self, Component};
use gamesat::rules::sequential::strings::Strings;
use gamesat::rules::sequential::{Dots, Rules, Sequential};
use gamesat::selection::{max, min, play};
use gamesat::solve::{Solver, Verdict};
use gamesat_games::sequential::Session;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// A random graph with so many strings, some of them cut.
pub fn graph(random: &mut ChaCha8Rng, strings: usize, left: usize) -> Dots {
    let coins = random.random_range(1..=strings.min(6));
    let mut ends = Vec::new();
    while ends.len() < strings {
        let mut end = || random.random_range(0..=coins).checked_sub(1);
        let (one, two) = (end(), end());
        if one != two {
            ends.push([one, two]);
        }
    }
    cut_down(random, Dots::graph(coins, ends).unwrap(), left)
}

/// Random moves until so many strings are left.
pub fn cut_down(random: &mut ChaCha8Rng, mut dots: Dots, left: usize) -> Dots {
    while dots.moves().len() > left {
        let moves = dots.moves();
        dots.play(moves[random.random_range(0..moves.len())]);
    }
    dots
}

pub fn board(across: usize, down: usize) -> Dots {
    Dots::board(across, down).unwrap()
}

fn position(random: &mut ChaCha8Rng, left: usize) -> Dots {
    match random.random_range(0..3) {
        0 => {
            let (across, down) = (random.random_range(1..=4), random.random_range(1..=3));
            cut_down(random, board(across, down), left)
        }
        _ => {
            let strings = random.random_range(1..=left + 3);
            graph(random, strings, left)
        }
    }
}

pub fn solved(dots: &Dots, options: &SequentialOptions, threads: usize) -> (i64, Vec<(u16, i64)>, Vec<u16>) {
    let strings = Strings::new(dots);
    let session = Session::new(&strings, options, threads);
    let solved = session.solve(&strings, None, true, &Control::default()).unwrap();
    let mut moves: Vec<(u16, i64)> = solved.moves.iter().map(|&(mv, value)| (mv, value.into())).collect();
    moves.sort_unstable();
    (solved.value.into(), moves, solved.line)
}

pub fn value(dots: &Dots) -> i32 {
    let strings = Strings::new(dots);
    let session = Session::new(&strings, &SequentialOptions::default(), 1);
    session.value(&strings, &Control::default()).unwrap().0
}

#[test]
fn the_search_agrees_with_the_definition_under_every_subset_of_switches() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..900 {
        let dots = position(&mut random, 7);
        if dots.mover().is_none() {
            continue;
        }
        let right = evaluate_sequential(&Sequential::Dots(dots.clone()), &Control::default()).unwrap();
        let options = switches(&mut random, round);
        let (value, moves, line) = solved(&dots, &options, 1 + usize::from(round % 100 == 0));
        assert_eq!((value, &moves), (right.value, &right.moves), "round {round}: {dots:?}");
        // The line keeps its promise.
        let (mut end, mut score) = (dots.clone(), 0);
        for &mv in &line {
            let sign = if end.mover() == dots.mover() { 1 } else { -1 };
            score += sign * end.play(mv) as i64;
        }
        assert!(end.mover().is_none());
        assert_eq!(score, value, "{dots:?}");
    }
}

#[test]
fn larger_positions_agree_without_what_the_rules_know() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut plain = SequentialOptions::default();
    plain.rule_bounds = false;
    plain.mirror_images = false;
    plain.sequential_table = 1;
    for round in 0..150 {
        let dots = if round % 2 == 0 { cut_down(&mut random, board(3, 3), 12) } else { graph(&mut random, 14, 12) };
        // Without them keys are those of quiet positions only, and every string is tried.
        let (one, two) = (solved(&dots, &plain, 1).0, i64::from(value(&dots)));
        assert_eq!(one, two, "round {round}: {dots:?}");
    }
}

#[test]
fn the_search_agrees_with_the_selection_library() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..300 {
        let dots = position(&mut random, 6);
        let Some(mover) = dots.mover() else { continue };
        let reached = |history: &[u16]| {
            let (mut reached, mut score) = (dots.clone(), 0);
            for &mv in history {
                let sign = if reached.mover() == Some(mover) { 1 } else { -1 };
                score += sign * reached.play(mv) as i32;
            }
            (reached, score)
        };
        let plan = |history: &[u16]| {
            let (reached, _) = reached(history);
            let side = reached.mover()?;
            Some(if side == mover { max(reached.moves()) } else { min(reached.moves()) })
        };
        assert_eq!(play(&plan, &|history: &[u16]| reached(history).1).value, value(&dots), "{dots:?}");
    }
}

#[test]
fn boards_have_their_known_values() {
    // The exact table of full boards. Those of 3x4 (0) and 4x4 (at least 0) take too long for a test: the benchmark of these games
    // computes and compares them.
    let known = [
        ((1, 1), -1),
        ((1, 2), 0),
        ((1, 3), -1),
        ((1, 4), 0),
        ((1, 5), -1),
        ((1, 6), 0),
        ((2, 2), 2),
        ((2, 3), -2),
        ((2, 4), 2),
        ((2, 5), -2),
        ((3, 3), -3),
    ];
    for ((across, down), net) in known {
        assert_eq!(value(&board(across, down)), net, "{across}x{down}");
    }
}

#[test]
fn four_by_four_dots_have_twenty_four_lines_and_nine_boxes() {
    // H1: 24 lines, each drawn or not, and 9 boxes.
    let dots = board(3, 3);
    assert_eq!((dots.strings().len(), 1u64 << dots.strings().len(), dots.coins()), (24, 16_777_216, 9));
}

/// A graph of chains and loops: each chain between two strings to the ground.
pub fn components(all: &[Component]) -> Dots {
    let (mut coins, mut strings) = (0, Vec::new());
    for component in all {
        let count = component.coins() as usize;
        let from = coins;
        coins += count;
        strings.extend((from + 1..coins).map(|coin| [Some(coin - 1), Some(coin)]));
        match component {
            Component::Chain(_) => strings.extend([[None, Some(from)], [Some(coins - 1), None]]),
            Component::Loop(_) => strings.push([Some(coins - 1), Some(from)]),
        }
    }
    Dots::graph(coins, strings).unwrap()
}

use Component::{Chain as C, Loop as L};

/// The value of the endgame, which does not mind the order.
fn endgame_value(all: &[Component]) -> i32 {
    let mut sorted = all.to_vec();
    sorted.sort_unstable();
    endgame::value(&sorted).unwrap()
}

#[test]
fn endgames_have_their_known_values() {
    // The exact table of sums of chains and loops.
    let known: &[(&[Component], i32)] = &[
        (&[C(4), C(5)], -5),
        (&[C(1), C(2), C(3)], -2),
        (&[C(3), C(3), C(3), C(3)], -2),
        (&[L(4), L(4), L(4)], -4),
        (&[L(4), L(4)], 0),
        (&[L(4), L(4), C(3)], -3),
        (&[C(3), C(3), C(4), L(4)], -2),
    ];
    for &(all, net) in known {
        assert_eq!(endgame_value(all), net, "{all:?}");
        let game = Sequential::Dots(components(all));
        if game.moves().len() < 10 {
            assert_eq!(evaluate_sequential(&game, &Control::default()).unwrap().value, i64::from(net), "{all:?}");
        }
    }
    for (copies, net) in (1..=6).zip([-3, -2, -1, -2, -1, -2]) {
        assert_eq!(endgame_value(&vec![C(3); copies]), net, "{copies} chains of three");
    }
}

/// Every multiset of up to five components of a few kinds with at most 22 coins.
fn sums() -> Vec<Vec<Component>> {
    let kinds = [C(1), C(2), C(3), C(4), C(5), C(6), L(4), L(6)];
    let mut all: Vec<Vec<Component>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..5 {
        let to = all.len();
        for at in from..to {
            for &kind in &kinds {
                let mut more = all[at].clone();
                if more.last().is_none_or(|&last| last <= kind) {
                    more.push(kind);
                    if more.iter().map(|component| component.coins()).sum::<i32>() <= 22 {
                        all.push(more);
                    }
                }
            }
        }
        from = to;
    }
    all
}

#[test]
fn the_rule_for_double_deals_is_never_wrong() {
    // The search itself, without the endgame, on the rest of a chain of two or of an opened loop of four beside a sum.
    let control = Control::default();
    let (mut count, mut wrong) = (0, 0);
    for rest in sums() {
        let rest_coins: i32 = rest.iter().map(|component| component.coins()).sum();
        if rest_coins > 11 {
            continue;
        }
        for handout in [2, 4] {
            // The opened chain of two has lost its first string, the loop one of its four.
            let mut all = vec![if handout == 2 { C(2) } else { L(4) }];
            all.extend(&rest);
            let mut dots = components(&all);
            dots.set_cut(if handout == 2 { 1 } else { 3 });
            let (middle, strings) = (if handout == 2 { 2 } else { 1 }, Strings::new(&dots));
            let session = Session::new(&strings, &SequentialOptions::default(), 1);
            let solved = session.solve(&strings, None, true, &control).unwrap();
            let deal = solved.moves.iter().find(|&&(mv, _)| mv == middle).unwrap().1;
            let (v, take) = (endgame_value(&rest), handout + endgame_value(&rest));
            assert_eq!((deal, solved.value), (-handout - v, take.max(-handout - v)), "{rest:?} with {handout}");
            count += 1;
            wrong += i32::from(endgame::deals(handout, v) != (deal > take));
        }
    }
    assert!(count > 60, "{count}");
    assert_eq!(wrong, 0);
}

#[test]
fn drawings_and_moves_say_the_same() {
    let moves = parse("dots 2x1\nmoves a1b1 a1a2 b1b2 a2b2 c1c2\n").unwrap();
    let drawn = "dots 2x1\nturn A\n+-+ +\n|B| |\n+-+ +\n";
    assert_eq!(moves, parse(drawn).unwrap());
    assert_eq!(to_string(&moves, Format::Dots).unwrap(), drawn);
    assert_eq!(moves, parse("Dots 2X1\nturn A\n+-+ +\n|B| |  \n+-+ +").unwrap());
    let coins = to_string(&moves, Format::Coins).unwrap();
    assert_eq!(Solver::new(moves).solve().unwrap().verdict, Verdict::Value(-1));
    assert_eq!(Solver::new(parse(&coins).unwrap()).solve().unwrap().verdict, Verdict::Value(-1));
}

#[test]
fn boards_with_more_columns_than_letters_are_like_others() {
    // All lines of a board but those of the last box.
    let text = |lines: &[String]| format!("dots 40x30\nmoves {}\n", lines.join(" "));
    let Problem::Sequential(Sequential::Dots(empty)) = parse("dots 40x30").unwrap() else { panic!("dots") };
    assert_eq!(
        (empty.move_name(26), empty.find("aa1ab1"), empty.find("AA1ab1")),
        ("aa1ab1".to_owned(), Some(26), None)
    );
    let all: Vec<String> = empty.moves().into_iter().map(|mv| empty.move_name(mv)).collect();
    assert!(all.iter().enumerate().all(|(mv, name)| empty.find(name) == Some(mv as u16)));
    let corner = ["an30ao30", "an31ao31", "an30an31", "ao30ao31"];
    let drawn: Vec<String> = all.iter().filter(|name| !corner.contains(&name.as_str())).cloned().collect();
    let problem = parse(&text(&drawn)).unwrap();
    assert_eq!(parse(&to_string(&problem, Format::Dots).unwrap()).unwrap(), problem);
    let Problem::Sequential(game) = &problem else { panic!("a game with an order") };
    let right = evaluate_sequential(game, &Control::default()).unwrap().value;
    assert_eq!((right, game.moves().len()), (1, 4), "two neighbours, and the box for the opponent");
    assert_eq!(Solver::new(problem).solve().unwrap().verdict, Verdict::Value(right));
    // The largest board there is begins and can be stopped.
    let large = Problem::Sequential(Sequential::Dots(board(121, 120)));
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    assert_eq!(Solver::new(large).with_limits(limits).solve().unwrap().stop, Some(StopReason::Nodes));
    assert!(Dots::board(122, 122).is_none() && Dots::board(usize::MAX, 2).is_none());
}

#[test]
fn mistakes_are_refused_at_their_place() {
    for (text, words) in [
        ("dots 0x2", "is no possible size"),
        ("dots 10000x1", "t:1:6: '10000x1' is no possible size"),
        ("dots 1x1\nturn C", "is no side"),
        ("dots 1x1\nmoves a1b2", "t:2:7: 'a1b2' is no line"),
        ("dots 1x1\nmoves a1b1 b1a1", "is drawn already"),
        ("dots 1x1\n+-+\n|B|\n+ +", "the box with this letter is not complete"),
        ("dots 1x1\n+-+\n| |", "the board ends after 2 rows"),
        ("dots 1x1\n+|+", "t:2:2: '|' is no mark"),
        ("dots 1x1\n+-+-\n", "makes the row too long"),
        ("dots 1x1\n+-+\n| |\n+ +\n+ +", "is too much"),
        ("p coins 1 1\ne 1 1", "joins something with itself"),
        ("p coins 1 1\ne 0 0", "joins something with itself"),
        ("p coins 1 2\ne 1 0", "fewer strings than the header announces: 2 announced, 1 found"),
        ("p coins 1 1\ne 2 0", "coin 2 is out of range"),
        ("p coins 1 1\ne 1 0\ncut 1 1 0", "string 1 is cut twice"),
        ("p coins 1 1\ne 1 0\ncut 2 0", "string 2 is out of range"),
        ("p coins 30001 1", "is too large"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.contains(words), "{error}: {words}");
    }
}

#[test]
fn a_box_has_an_orbit_of_four_or_eight() {
    // C5
    assert_eq!((board(2, 3).symmetries().len(), board(3, 3).symmetries().len()), (4, 8));
    // A generic line has as many different images, and images of images are images.
    let images = board(5, 5).symmetries();
    let mut of_one: Vec<u16> = images.iter().map(|image| image[1]).collect();
    of_one.sort_unstable();
    of_one.dedup();
    assert_eq!(of_one.len(), 8);
    // An image has the same value, and the same key.
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..50 {
        let dots = cut_down(&mut random, board(3, 3), 14);
        let keys: Vec<_> = dots
            .symmetries()
            .iter()
            .map(|image| {
                let mut turned = board(3, 3);
                (0..24).filter(|&s| dots.is_cut(s)).for_each(|s| turned.set_cut(image[s].into()));
                Strings::new(&turned).canonical().0
            })
            .collect();
        assert!(keys.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

/// Chains and loops as players list them; the first is open.
fn listed(open: usize, rest: &[Component]) -> Vec<Chain> {
    let chain = |coins: i32, label| Chain { coins: (0..coins as usize).collect(), bounds: Vec::new(), label };
    let mut chains = vec![chain(open as i32, Label::Open)];
    chains.extend(rest.iter().map(|component| match component {
        C(coins) => chain((*coins).into(), Label::Closed),
        L(coins) => chain((*coins).into(), Label::Loop),
    }));
    chains
}

fn reckoned(open: usize, rest: &[Component]) -> Reckoning {
    let chains = listed(open, rest);
    Reckoning::of(&chains, &chains[0]).unwrap()
}

#[test]
fn the_reckoning_of_the_policy_is_as_published() {
    // H7
    let seven = reckoned(2, &[C(3), C(3), C(4), L(4)]);
    assert_eq!((seven.long, seven.short, seven.coins, seven.deals()), (6, 0, 16, false));
    assert_eq!(endgame_value(&[C(3), C(3), C(4), L(4)]), -2, "taking all and dealing both give eight to eight");
    // H8
    assert!(reckoned(2, &[C(1), C(2), C(3)]).by_dealing);
    assert!(!reckoned(2, &[C(1), C(2), C(2), C(3)]).by_dealing);
    // H9
    let nine = reckoned(2, &[C(1), C(1), C(1), C(2), C(5)]);
    assert_eq!((nine.by_dealing, nine.short), (true, 2));
    // H10
    let rest = [C(1), C(1), C(1), C(2), C(3), C(4), C(5), C(6), C(10), L(4), L(4), L(6)];
    let ten = reckoned(2, &rest);
    assert_eq!((ten.short, ten.long, ten.coins, ten.deals()), (2, 22, 49, false));
}

#[test]
fn the_exact_rule_beats_that_of_the_policy() {
    for (open, rest, rule, best) in
        [(2, vec![C(3), L(4)], -1, 1), (2, vec![C(3), L(4), L(4)], -1, 1), (4, vec![C(1), C(4), L(4), L(4)], -7, 7)]
    {
        let (handout, v) = (open as i32, endgame_value(&rest));
        let [deal, take] = [-handout - v, handout + v];
        let chosen = if reckoned(open, &rest).deals() { deal } else { take };
        let exact = if endgame::deals(handout, v) { deal } else { take };
        assert_eq!((chosen, exact), (rule, best), "{rest:?}");
    }
    // Over all sums the exact rule never loses by it, and the other one sometimes does.
    let (mut count, mut worse) = (0, 0);
    for rest in sums().iter().filter(|rest| rest.iter().any(|component| component.handout().is_some())) {
        for open in [2, 4] {
            let (handout, v) = (open as i32, endgame_value(rest));
            if handout + rest.iter().map(|component| component.coins()).sum::<i32>() > 22 {
                continue;
            }
            let chosen = if reckoned(open, rest).deals() { -handout - v } else { handout + v };
            let exact = if endgame::deals(handout, v) { -handout - v } else { handout + v };
            assert_eq!(exact, (handout + v).abs());
            count += 1;
            worse += usize::from(chosen < exact);
        }
    }
    assert_eq!((worse, count), (147, 1631));
}

#[test]
fn control_wins_the_figures() {
    // H2: a chain of four and one of five; whoever opens the four gets two boxes and loses seven.
    let dots = components(&[C(4), C(5)]);
    assert_eq!(value(&dots), -5);
    // Greed: the four, and then the opponent has the five.
    let mut opened = dots.clone();
    opened.play(3);
    assert_eq!(value(&opened), 7 - 2);
    let mut taken = 0;
    while let Some(mv) = opened.moves().into_iter().find(|&mv| opened.clone().play(mv) > 0) {
        taken += opened.play(mv) as i32;
    }
    assert_eq!((taken, taken + value(&opened)), (4, 4 - 5));
    // H4: 25 coins, an open chain of two and four long simple chains: 17 to 8 for whoever has the move.
    for lengths in [[5, 6, 6, 6], [3, 3, 3, 14], [3, 4, 6, 10]] {
        let mut all = vec![C(2)];
        all.extend(lengths.map(C));
        let mut dots = components(&all);
        dots.set_cut(1);
        assert_eq!(value(&dots), 17 - 8, "{lengths:?}");
    }
}

#[test]
fn closed_chains_of_two_are_cut_in_three_ways() {
    // H3: strings 1 and 2 go to the ground, string 0 joins the coins.
    let parts = |string| {
        let mut dots = components(&[C(2)]);
        dots.play(string);
        let network = Network::new(&dots);
        let chains = network.chains();
        (chains.len(), chains.first().map(|chain| (chain.label, chain.len())))
    };
    assert_eq!(parts(1), (1, Some((Label::Open, 2))));
    assert_eq!(parts(2), (1, Some((Label::Open, 2))));
    assert_eq!(parts(0), (0, None), "two open chains of one");
}

#[test]
fn opened_loops_pass_the_turn_with_four_coins_and_not_with_three() {
    // H5, H6 and C6, beside a long chain.
    for (coins, passes) in [(3usize, false), (4, true)] {
        let row: Vec<_> = (1..coins).map(|coin| [Some(coin - 1), Some(coin)]).collect();
        let dots = Dots::graph(coins, row).unwrap();
        let silent = dots.moves().into_iter().filter(|&mv| dots.clone().play(mv) == 0);
        let silent: Vec<u16> = silent.collect();
        assert_eq!(!silent.is_empty(), passes, "{coins}");
        if let [middle] = silent[..] {
            let mut dealt = dots.clone();
            dealt.play(middle);
            assert_eq!(dealt.play(dealt.moves()[0]), 2, "a pair");
            assert_eq!(dealt.play(dealt.moves()[0]), 2, "and another one");
        }
    }
}

/// A dipper: a loop of so many coins through coin 0, and a handle of so many that ends at the ground.
fn dipper(round: usize, handle: usize) -> Dots {
    let mut strings: Vec<[Option<usize>; 2]> = (0..round).map(|coin| [Some(coin), Some(coin + 1)]).collect();
    strings.push([Some(round), Some(0)]);
    let mut last = 0;
    for coin in round + 1..=round + handle {
        strings.push([Some(last), Some(coin)]);
        last = coin;
    }
    strings.push([Some(last), None]);
    Dots::graph(round + handle + 1, strings).unwrap()
}

#[test]
fn dippers_offer_everything_by_their_loop() {
    // H11
    let dots = dipper(3, 12);
    let network = Network::new(&dots);
    let chains = network.chains();
    let of = |length| chains.iter().find(|chain| chain.len() == length).unwrap();
    assert_eq!((network.effective_length(of(3)), network.effective_length(of(12))), (16, 12));
    let policy = Policy::new(&dots);
    let best = dots.moves().into_iter().max_by_key(|&mv| policy.priority(mv.into())).unwrap();
    assert!(usize::from(best) > 3, "the handle is opened, not the loop");
    // H12: without its handle it is a loop with one coin more.
    let mut emptied = dipper(5, 3);
    (6..=9).for_each(|string| emptied.set_cut(string));
    let chains = Network::new(&emptied).chains();
    assert_eq!((chains.len(), chains[0].label, chains[0].len()), (1, Label::Loop, 6));
    // Either way of opening the loop part offers everything.
    for string in 0..6 {
        let mut dots = dipper(5, 3);
        dots.play(string);
        let (mut taken, taker) = (0, dots.mover());
        while let Some(mv) = dots.moves().into_iter().find(|&mv| dots.clone().play(mv) > 0) {
            assert_eq!(dots.mover(), taker);
            taken += dots.play(mv);
        }
        assert_eq!(taken, 9, "string {string}");
    }
}

#[test]
fn trinodes_merge_and_joints_make_dependent() {
    // H13: coin 0 with three chains of one coin to the ground each.
    let mut strings = Vec::new();
    for coin in 1..=3 {
        strings.extend([[Some(0), Some(coin)], [Some(coin), None]]);
    }
    let mut dots = Dots::graph(4, strings).unwrap();
    assert_eq!(Network::new(&dots).chains().len(), 3);
    dots.set_cut(0);
    dots.set_cut(1);
    let chains = Network::new(&dots).chains();
    assert_eq!((chains.len(), chains[0].len(), chains[0].bounds.len()), (1, 3, 0));
    // H14: coin 0 has four strings, two of them to the ends of b, one to a, one to c.
    let strings = vec![
        [Some(0), Some(1)],
        [Some(1), Some(2)],
        [Some(2), Some(0)],
        [Some(0), Some(3)],
        [Some(3), None],
        [Some(0), Some(4)],
        [Some(4), None],
    ];
    let network = Network::new(&Dots::graph(5, strings).unwrap());
    let chains = network.chains();
    let of = |coin| chains.iter().find(|chain| chain.coins.contains(&coin)).unwrap();
    let (a, b, c) = (of(3), of(1), of(4));
    assert!(network.depends(a, b) && network.depends(c, b));
    assert!(!network.depends(b, a) && !network.depends(b, c) && !network.depends(a, c));
}

#[test]
fn open_chains_at_a_trinode_are_judged_as_if_they_were_apart() {
    // H15, as a property: an open chain of two at a trinode with two chains, and the same with the chain apart.
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut decisions = [0, 0];
    for _ in 0..300 {
        let (one, two) = (random.random_range(1..6usize), random.random_range(1..6usize));
        let others: Vec<Component> = (0..random.random_range(0..4))
            .map(|_| if random.random_bool(0.3) { L(4) } else { C(random.random_range(1..6)) })
            .collect();
        // Coins 0 and 1 are the open chain, 2 is the trinode.
        let build = |apart: bool| {
            let base = components(&others);
            let from = base.coins();
            let at = |coin: usize| Some(from + coin);
            let mut strings = base.strings().to_vec();
            strings.push([at(0), at(1)]);
            strings.push([at(1), if apart { None } else { at(2) }]);
            let mut next = 3;
            for arm in [one, two] {
                let mut last = 2;
                for _ in 0..arm {
                    strings.push([at(last), at(next)]);
                    (last, next) = (next, next + 1);
                }
                strings.push([at(last), None]);
            }
            Network::new(&Dots::graph(from + next, strings).unwrap())
        };
        let (complex, apart) = (build(false), build(true));
        let decision = chains::double_deal_complex(&complex, &complex.chains());
        assert_eq!(decision, chains::double_deal(&apart, &apart.chains()));
        decisions[usize::from(decision)] += 1;
    }
    assert!(decisions.iter().all(|&count| count > 20), "{decisions:?}");
}

#[test]
fn the_seventeen_outcomes_have_their_priorities() {
    // H16 to H32. Each position is given by its strings; the first string is the one that is judged.
    let judged = |coins: usize, strings: &[[Option<usize>; 2]]| {
        Policy::new(&Dots::graph(coins, strings.to_vec()).unwrap()).priority(0)
    };
    let g = None;
    let [a, b, c, d] = [Some(0), Some(1), Some(2), Some(3)];
    // Coins with three strings: the judged one and two to the ground.
    assert_eq!(judged(1, &[[g, a]]), 3, "H16: A");
    assert_eq!(judged(2, &[[a, b]]), 3, "H17: D");
    assert_eq!(judged(2, &[[a, b], [b, g], [b, g]]), 3, "H18: F");
    assert_eq!(judged(2, &[[a, b], [b, g]]), 1, "H19: E");
    assert_eq!(judged(1, &[[g, a], [a, g], [a, g]]), 0, "H20: C");
    assert_eq!(judged(2, &[[a, b], [a, g], [a, g], [b, g], [b, g]]), 0, "H21: I");
    // B: the far end of an open chain of two, with a long chain that makes control worth while, and with one that does not.
    let with = |strings: &[[Option<usize>; 2]], coins: usize, rest: &[Component]| {
        let rest = components(rest);
        let shift = |end: Option<usize>| end.map(|coin| coin + coins);
        let mut all = strings.to_vec();
        all.extend(rest.strings().iter().map(|ends| ends.map(shift)));
        judged(coins + rest.coins(), &all)
    };
    assert_eq!(with(&[[b, g], [a, b]], 2, &[C(7)]), 2, "H22: B, dealt");
    assert_eq!(with(&[[b, g], [a, b]], 2, &[C(1), C(7)]), -4, "H23: B, refused");
    assert_eq!(judged(1, &[[g, a], [a, g]]), -2, "H24: B, a chain of one");
    assert_eq!(judged(3, &[[g, a], [a, b], [b, c], [c, g]]), -6, "B, a chain of three");
    // G
    assert_eq!(with(&[[b, c], [a, b], [c, d]], 4, &[C(9)]), 2, "H25: G, dealt");
    assert_eq!(with(&[[b, c], [a, b], [c, d]], 4, &[C(1), C(9)]), -8, "H26: G, refused");
    assert_eq!(judged(2, &[[a, b], [a, g], [b, g]]), -3, "H27: G, hard-hearted");
    assert_eq!(judged(4, &[[b, c], [a, b], [c, d], [a, g], [d, g]]), -8, "H28: G, a chain of four");
    assert_eq!(judged(4, &[[a, b], [b, c], [c, d], [d, a]]), -7, "H29: G, a loop of four");
    // H: at a trinode with two chains of one coin to the ground.
    let far = [[b, c], [a, b], [c, d], [d, g], [c, Some(4)], [Some(4), g]];
    assert_eq!(with(&far, 5, &[C(7)]), 2, "H30: H, dealt");
    assert_eq!(with(&far, 5, &[C(1), C(7)]), -4, "H31: H, refused");
    assert_eq!(judged(3, &[[a, b], [a, g], [b, g], [b, g]]), -2, "H32: H, a chain of one");
}

#[test]
fn the_rules_of_the_phases_are_as_published() {
    // C1 and C2
    assert!(wants_even_chains(36, Side::First) && !wants_even_chains(36, Side::Second));
    assert!(!wants_even_chains(35, Side::First) && wants_even_chains(35, Side::Second));
    // C3 and C4
    assert_eq!(double_crosses(3, 1), 4);
    assert!(cycle_is_dealt(25, 4, 3, 1));
    assert!(!cycle_is_dealt(25, 5, 3, 1));
    assert_eq!(double_crosses(0, 3), 4);
    // C7
    assert_eq!(chains::filed(2, [None, None]), Filed::Move(2));
    assert_eq!(chains::filed(3, [Some(1), Some(1)]), Filed::Loop);
    assert_eq!(chains::filed(3, [None, None]), Filed::Chain);
    assert_eq!(chains::filed(4, [Some(1), None]), Filed::String);
    let mut filed = Network::new(&components(&[C(2), C(3), L(4)])).long_edges();
    filed.sort_by_key(|filed| format!("{filed:?}"));
    assert_eq!(filed, [Filed::Chain, Filed::Loop, Filed::Move(2)]);
    assert_eq!(Network::new(&dipper(3, 4)).long_edges(), [Filed::Loop, Filed::String]);
    // Two joints, with two rows of three between them: strings, and no loop.
    let between = |from: usize, first: usize| {
        let row = [[Some(from), Some(first)], [Some(first), Some(first + 1)], [Some(first + 1), Some(first + 2)]];
        row.into_iter().chain([[Some(first + 2), Some(1)]])
    };
    let arms = [[Some(0), None], [Some(1), None]];
    let strings: Vec<_> = between(0, 2).chain(between(0, 5)).chain(arms).collect();
    let network = Network::new(&Dots::graph(8, strings).unwrap());
    assert_eq!(network.long_edges(), [Filed::String; 2]);
}

#[test]
fn openings_promise_no_less_than_they_are_worth() {
    // A joint with three arms of so many coins to the ground, one of them long.
    let mut promises = 0;
    for (long, one, two) in [(3, 0, 0), (3, 0, 1), (3, 1, 1), (4, 0, 0), (4, 0, 1)] {
        let (mut strings, mut next) = (Vec::new(), 1);
        for arm in [long, one, two] {
            let mut last = 0;
            for _ in 0..arm {
                strings.push([Some(last), Some(next)]);
                (last, next) = (next, next + 1);
            }
            strings.push([Some(last), None]);
        }
        let dots = Dots::graph(next, strings).unwrap();
        let strings = Strings::new(&dots);
        let (low, high, insight) = strings.survey(-100, 100);
        let right = evaluate_sequential(&Sequential::Dots(dots.clone()), &Control::default()).unwrap();
        assert!((i64::from(low)..=i64::from(high)).contains(&right.value), "{dots:?}");
        let mut moves = Vec::new();
        strings.candidates(insight, &mut moves);
        for mv in moves {
            let step = strings.step(mv);
            let value = right.moves.iter().find(|&&(other, _)| other == step).unwrap().1;
            assert!(i64::from(strings.promise(mv)) >= value, "{dots:?} {step}");
            promises += usize::from(strings.promise(mv) < 0);
        }
    }
    assert_eq!(promises, 5, "one for each long arm");
}

#[test]
fn players_play_to_the_end_and_the_better_ones_win() {
    let game = Sequential::Dots(board(3, 3));
    let setting = Setting { seed: 3, time: Duration::from_millis(1) };
    let tally = |one: &str, two: &str, games, threads| {
        let entries = [find(one).unwrap(), find(two).unwrap()];
        run(&game, entries, games, setting, threads, &Control::default()).unwrap()
    };
    let policy = tally("policy", "random", 60, 1);
    assert_eq!(policy, tally("policy", "random", 60, 2), "threads change nothing");
    assert_eq!(policy.games(), 60);
    assert!(policy.share() > 80.0 && tally("phases", "random", 60, 1).share() > 80.0);
    // Whatever the clock says, every move is legal and nine boxes are shared out.
    for (one, two) in [("search", "greedy"), ("phases", "search")] {
        let tally = tally(one, two, 4, 1);
        assert_eq!((tally.games(), tally.draws), (4, 0));
    }
}
