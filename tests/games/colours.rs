//! Games with more colours than two, with elements for one player alone and with scores, held to plain minimax: verdict, winning
//! moves, traces by their definition, strategies by the judge; and the counts of all small games with three colours.

use crate::support::ask::ask;
use crate::support::colourings::random_game;
use gamesat::Problem;
use gamesat::analyse::classify;
use gamesat::check::{Judgement, evaluate_colouring, verify};
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Colouring, Lit, Player, Proof, Rule, Strategy, StrategyNode, Var};
use gamesat::solve::{Options, Trace, Verdict, Wanted};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

fn options(engine: Option<&str>) -> Options {
    let mut options = Options::default();
    options.game.table = 1;
    options.engine = engine.map(str::to_owned);
    options
}

/// Whether the winner wins with these elements alone: the others are quantified against the winner, with as many dead elements
/// instead of them.
fn suffices(game: &Colouring, winner: Player, trace: &[Var]) -> bool {
    let outside: Vec<Var> = game.free().filter(|var| !trace.contains(var)).collect();
    let inside: Vec<Var> = game.free().filter(|var| trace.contains(var)).collect();
    fn worst(game: &Colouring, colours: &mut BTreeMap<Var, usize>, outside: &[Var], winner: Player) -> bool {
        let Some((&var, rest)) = outside.split_first() else {
            return (game.worth(|var| colours.get(&var).copied()) > 0) == (winner == Player::Max);
        };
        (0..game.colours()).filter(|&colour| game.domain(var) >> colour & 1 != 0).all(|colour| {
            colours.insert(var, colour);
            let wins = worst(game, colours, rest, winner);
            colours.remove(&var);
            wins
        })
    }
    struct Play<'a> {
        game: &'a Colouring,
        inside: &'a [Var],
        outside: &'a [Var],
        winner: Player,
    }
    fn wins(play: &Play<'_>, colours: &mut BTreeMap<Var, usize>, dead: usize, turn: Player) -> bool {
        let free: Vec<Var> = play.inside.iter().copied().filter(|var| !colours.contains_key(var)).collect();
        if free.is_empty() && dead == 0 {
            return worst(play.game, colours, play.outside, play.winner);
        }
        let own = turn == play.winner;
        let mut results = Vec::new();
        for &var in &free {
            for colour in (0..play.game.colours()).filter(|&colour| play.game.domain(var) >> colour & 1 != 0) {
                colours.insert(var, colour);
                results.push(wins(play, colours, dead, !turn));
                colours.remove(&var);
            }
        }
        if dead > 0 {
            results.push(wins(play, colours, dead - 1, !turn));
        }
        if own { results.into_iter().any(|won| won) } else { results.into_iter().all(|won| won) }
    }
    let mut colours: BTreeMap<Var, usize> =
        game.played().iter().map(|&atom| (game.element(atom), game.colour(atom))).collect();
    let play = Play { game, inside: &inside, outside: &outside, winner };
    wins(&play, &mut colours, outside.len(), game.turn)
}

/// Everything about one game.
fn check(game: &Colouring, engine: Option<&str>) -> bool {
    let problem = Problem::Colouring(game.clone());
    let expected = evaluate_colouring(game, &Control::default()).unwrap();
    let wanted = Wanted::default().and_all_moves().and_trace(Trace::Any).and_proof();
    let answer = ask(&problem, &wanted, &options(engine), &Control::default());
    let winner = if expected.value > 0 { Player::Max } else { Player::Min };
    assert_eq!(answer.verdict, Verdict::from(winner), "{game:?}");
    // Every winning move is listed, in every colour, and no other.
    let wins = |(_, value): &&(Lit, i64)| winner == game.turn && *value == expected.value;
    let winning: Vec<Lit> = expected.moves.iter().filter(wins).map(|&(atom, _)| atom).collect();
    assert_eq!(answer.moves, winning, "{game:?}");
    assert!(suffices(game, winner, &answer.trace.unwrap()), "{game:?}");
    // A trace that was made smaller has no element too many.
    let small = ask(&problem, &Wanted::default().and_trace(Trace::Small), &options(engine), &Control::default());
    assert_eq!(small.missing, None, "{game:?}");
    let small = small.trace.unwrap();
    assert!(suffices(game, winner, &small), "{small:?} {game:?}");
    for at in 0..small.len() {
        let mut fewer = small.clone();
        fewer.remove(at);
        assert!(!suffices(game, winner, &fewer), "{} in {small:?} {game:?}", small[at]);
    }
    let proof = answer.proof.unwrap_or_else(|| panic!("{:?} {game:?}", answer.missing));
    let judged = verify(&problem, &proof, &Control::default()).unwrap();
    assert_eq!(judged, Judgement::Accepted(winner == Player::Max), "{game:?} {proof:?}");
    // The same proof says nothing about the other turn, if the other player wins then.
    let mut other = game.clone();
    other.turn = !other.turn;
    let value = evaluate_colouring(&other, &Control::default()).unwrap().value;
    if (value > 0) != (winner == Player::Max) {
        let judged = verify(&Problem::Colouring(other), &proof, &Control::default()).unwrap();
        assert!(matches!(judged, Judgement::Rejected(_)), "{game:?}");
    }
    winner == Player::Max
}

#[test]
fn random_games_by_search() {
    let mut random = ChaCha8Rng::seed_from_u64(601);
    let mut won = 0;
    for number in 0..700 {
        let (elements, colours) = [(2, 3), (3, 3), (4, 3), (3, 4), (4, 2), (5, 2)][number % 6];
        let game = random_game(&mut random, elements, colours, false);
        won += usize::from(check(&game, Some("colours")));
    }
    assert!((100..600).contains(&won), "{won}");
}

#[test]
fn random_games_that_are_two_coloured_in_disguise() {
    let mut random = ChaCha8Rng::seed_from_u64(602);
    for number in 0..400 {
        let (elements, colours) = [(3, 3), (4, 3), (3, 4), (5, 3)][number % 4];
        let game = random_game(&mut random, elements, colours, true);
        check(&game, Some("alpha-beta"));
        check(&game, Some("colours"));
    }
}

#[test]
fn whoever_answers_answers_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(603);
    for number in 0..200 {
        let game = random_game(&mut random, 3 + number % 3, 2 + number % 2, number % 5 == 0);
        check(&game, None);
    }
}

/// Elements for one player alone, and scores: only the value and the moves that keep it.
#[test]
fn restricted_games_and_scores() {
    let mut random = ChaCha8Rng::seed_from_u64(604);
    let mut thresholds = 0;
    for number in 0..400 {
        let colours = 2 + number % 2;
        let mut game = random_game(&mut random, 4, colours, false);
        if number % 4 != 0 {
            let weights = game.rows().iter().map(|_| random.random_range(-3..=5)).collect();
            game = game.with_weights(weights);
        }
        if number % 3 == 0 {
            for element in 0..3 {
                if random.random_bool(0.5) {
                    let player = if random.random() { Player::Max } else { Player::Min };
                    game.restrict(Var::from_index(element), player);
                }
            }
        }
        if colours == 2 && number % 5 == 0 {
            game.rule = Rule::Own;
        }
        let expected = evaluate_colouring(&game, &Control::default()).unwrap();
        let problem = Problem::Colouring(game.clone());
        let answer = ask(&problem, &Wanted::default().and_all_moves(), &options(None), &Control::default());
        let mover = game.mover().unwrap_or(game.turn);
        let value = if mover == Player::Max { expected.value } else { -expected.value };
        match game.weights() {
            Some(_) => assert_eq!(answer.verdict, Verdict::Value(value), "{game:?}"),
            None => assert_eq!(answer.verdict, Verdict::from(expected.value > 0), "{game:?}"),
        }
        thresholds += usize::from(answer.statistics.get("thresholds") > 0.0);
        let best: Vec<Lit> =
            expected.moves.iter().filter(|&&(_, value)| value == expected.value).map(|&(atom, _)| atom).collect();
        let keeps = game.weights().is_some() || answer.verdict.winner() == Some(mover);
        assert_eq!(answer.moves, if keeps { best } else { Vec::new() }, "{game:?} {:?}", answer.verdict);
    }
    assert!(thresholds > 30, "{thresholds}");
}

/// A strategy that forgets a colour, or relies on one that is not there, is refused.
#[test]
fn strategies_answer_every_colour() {
    // Element 1 has colour 1, or both others are equal in colour 2 or 3: MIN to move.
    let text = "p setcol dnf 3 3 3\nturn min\n1=1 0\n2=2 3=2 0\n2=3 3=3 0\n";
    let problem = gamesat::parse(text).unwrap();
    let answer = ask(&problem, &Wanted::default().and_proof(), &options(Some("colours")), &Control::default());
    let Some(Proof::Strategy(strategy)) = answer.proof else { panic!() };
    let accepted = verify(&problem, &Proof::Strategy(strategy.clone()), &Control::default()).unwrap();
    assert_eq!(accepted, Judgement::Accepted(answer.verdict == Verdict::True));
    let mut refused = 0;
    for number in 0..strategy.len() {
        let mut other = Strategy::new(strategy.winner());
        for (at, node) in strategy.nodes().enumerate() {
            match node {
                StrategyNode::Replies { any, lits, after } if at == number && !lits.is_empty() => {
                    other.push(StrategyNode::Replies { any, lits: &lits[1..], after: &after[1..] })
                }
                StrategyNode::Leaf { holds, pairs } if at == number && !holds.is_empty() => {
                    other.push(StrategyNode::Leaf { holds: &holds[1..], pairs })
                }
                node => other.push(node),
            };
        }
        if other != strategy {
            let judged = verify(&problem, &Proof::Strategy(other), &Control::default()).unwrap();
            refused += usize::from(matches!(judged, Judgement::Rejected(_)));
        }
    }
    assert!(refused > 0);
    // Nothing is proved about scores or restricted elements.
    for text in ["p score dnf 1 1\n1 1 0\n", "p gamesat dnf 1 1\nonly max 1 0\n1 0\n"] {
        let problem = gamesat::parse(text).unwrap();
        let judged = verify(&problem, &Proof::Strategy(strategy.clone()), &Control::default()).unwrap();
        assert!(matches!(judged, Judgement::Rejected(_)));
    }
}

/// All functions of one and two elements with three colours: T 163, F 163, Z 102, X* 84 of the 512.
#[test]
fn every_small_game_with_three_colours_has_its_form() {
    for (elements, expected) in
        [(1usize, vec![("F*", 1), ("T*", 1), ("X", 6)]), (2, vec![("F", 163), ("T", 163), ("X*", 84), ("Z□", 102)])]
    {
        let colourings = 3usize.pow(elements as u32);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for function in 0..1usize << colourings {
            let mut rows = ClauseArena::new();
            for colouring in (0..colourings).filter(|colouring| function >> colouring & 1 != 0) {
                let digit = |element: usize| colouring / 3usize.pow(element as u32) % 3;
                let atoms = (0..elements).map(|element| Var::from_index(3 * element + digit(element)).positive());
                rows.push(&atoms.collect::<Vec<_>>());
            }
            let game = Colouring::new(elements, 3, false, rows).unwrap();
            let found = classify(&Problem::Colouring(game.clone()), &options(None), &Control::default()).unwrap();
            let form = found.form.form().unwrap();
            *counts.entry(form.name().to_owned()).or_default() += 1;
            // Its class is what a search says.
            for turn in [Player::Max, Player::Min] {
                let mut game = game.clone();
                game.turn = turn;
                let answer =
                    ask(&Problem::Colouring(game), &Wanted::default(), &options(Some("colours")), &Control::default());
                assert_eq!(answer.verdict.winner().unwrap(), form.outcome().winner(turn));
            }
        }
        let counts: Vec<(&str, usize)> = counts.iter().map(|(form, &count)| (form.as_str(), count)).collect();
        assert_eq!(counts, expected);
    }
}
