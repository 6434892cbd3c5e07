//! The winner of a set colouring game by its definition: plain minimax over positions, remembered.
//!
//! A position is the colouring of the elements that occur in the formula, the number of other elements left, and the
//! player to move. Elements outside the formula are interchangeable, so only their number counts; and since two of them
//! cancel is a *theorem*, it is not used here beyond the first `MANY` of them: see [`evaluate_game`].

use super::board::evaluate_board;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Game, GameMatrix, Lit, Player, Rule, TurnOrder, Var};
use gamesat_core::problem::{Problem, Reordered};
use gamesat_core::rules::Schedule;
use rustc_hash::FxHashMap;

/// Elements outside the formula are played out one by one up to this number; beyond it pairs of them are dropped, which
/// the theory allows (*Set Colouring Games* 5.4), because no one could wait for the answer otherwise.
const MANY: usize = 8;

/// In another order of turns no elements can be dropped, and with more of them than this a game is not played out.
const MOST: usize = 1 << 12;

/// What minimax says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameValue {
    /// Who wins under optimal play.
    pub winner: Player,
    /// The winning moves of the player to move, in the order of elements, TRUE before FALSE. Every colour that the rule
    /// allows is listed, also irrational ones.
    pub winning_moves: Vec<Lit>,
    /// How many elements outside the formula are not listed: their moves win as those of the ones that are. There can be
    /// billions of them, and no more than [`LISTED`](GameValue::LISTED) are.
    pub omitted: usize,
}

impl GameValue {
    /// Elements outside the formula that are listed at most.
    pub const LISTED: usize = 1 << 16;
}

/// Evaluates a game position by minimax.
///
/// # Errors
/// The reason to stop before the value was known.
pub fn evaluate_game(game: &Game, control: &Control) -> Result<GameValue, StopReason> {
    evaluate(game, None, control)
}

/// Evaluates a game, or a board by the plies that the order makes of it, in another order of turns.
///
/// # Errors
/// The reason to stop before the value was known.
pub fn evaluate_in_order(reordered: &Reordered, control: &Control) -> Result<GameValue, StopReason> {
    let order = reordered.order();
    match reordered.game() {
        Problem::Game(game) => evaluate(game, Some(order), control),
        Problem::Board(board) => {
            let mut board = board.clone();
            let movers = (0..board.free().count()).map_while(|place| order.mover(place));
            let side = |player: Player| if player == Player::Max { board.max } else { !board.max };
            let schedule = Schedule { plies: movers.map(side).collect(), claimant: board.max };
            board.turn = schedule.plies.first().copied().unwrap_or(board.turn);
            board.schedule = Some(schedule);
            let found = evaluate_board(&board, control)?;
            let mover = board.player(board.turn);
            let winner = found.ending.winner().map_or(Player::Min, |side| board.player(side));
            let lit = |&element: &usize| Var::from_index(element).lit(mover.colour());
            let winning_moves = if winner == mover { found.best_moves.iter().map(lit).collect() } else { Vec::new() };
            Ok(GameValue { winner, winning_moves, omitted: 0 })
        }
        _ => Err(StopReason::Unsupported("only games and boards have an order of turns".to_owned())),
    }
}

fn evaluate(game: &Game, order: Option<&TurnOrder>, control: &Control) -> Result<GameValue, StopReason> {
    let mut elements: Vec<Var> = match game.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.lits().iter().map(|lit| lit.var()).collect(),
        GameMatrix::Circuit(circuit) => (0..circuit.inputs()).map(Var::from_index).collect(),
    };
    elements.sort_unstable();
    elements.dedup();
    let played: FxHashMap<Var, bool> = game.played().iter().map(|lit| (lit.var(), lit.is_positive())).collect();
    let mut colours: Vec<Option<bool>> = elements.iter().map(|var| played.get(var).copied()).collect();
    let open: Vec<usize> = (0..elements.len()).filter(|&i| colours[i].is_none()).collect();
    let outside = game.uncoloured() - open.len();
    if order.is_some() && outside > MOST {
        let why = format!("in another order of turns up to {MOST} elements outside the formula are played out");
        return Err(StopReason::Unsupported(why));
    }
    let dead = if outside > MANY && order.is_none() { MANY - (MANY + outside) % 2 } else { outside };
    let mut minimax = Minimax {
        game,
        elements: &elements,
        open: &open,
        memory: FxHashMap::default(),
        poller: control.poller(),
        nodes: 0,
        order,
    };
    let turn = minimax.mover(0);
    let winner = minimax.winner(&mut colours, dead, 0)?;
    let mut winning_moves = Vec::new();
    let mut omitted = 0;
    if winner == turn {
        for &index in &open {
            for colour in [true, false] {
                if !game.rule.allows(turn, colour) {
                    continue;
                }
                colours[index] = Some(colour);
                if minimax.winner(&mut colours, dead, 1)? == winner {
                    winning_moves.push(elements[index].lit(colour));
                }
                colours[index] = None;
            }
        }
        if dead > 0 && minimax.winner(&mut colours, dead - 1, 1)? == winner {
            let outsiders = (0..game.elements())
                .map(Var::from_index)
                .filter(|var| elements.binary_search(var).is_err() && !played.contains_key(var));
            for var in outsiders.take(GameValue::LISTED) {
                winning_moves
                    .extend([true, false].into_iter().filter(|&c| game.rule.allows(turn, c)).map(|c| var.lit(c)));
            }
            omitted = outside.saturating_sub(GameValue::LISTED);
            winning_moves.sort_unstable();
        }
    }
    Ok(GameValue { winner, winning_moves, omitted })
}

struct Minimax<'a> {
    game: &'a Game,
    /// The elements of the formula.
    elements: &'a [Var],
    /// Positions in `elements` that are uncoloured at the root.
    open: &'a [usize],
    memory: FxHashMap<(Vec<Option<bool>>, usize, Player), Player>,
    poller: Poller<'a>,
    nodes: u64,
    /// Who moves when, if the players do not take turns.
    order: Option<&'a TurnOrder>,
}

/// The move that a position is trying.
struct Tried {
    /// Its place in the list of open elements, and the colour it was given.
    at: usize,
    colour: Option<bool>,
    /// Whether it is a move in an element outside the formula, which comes last.
    passed: bool,
    /// Whether there was a move at all.
    moved: bool,
}

impl Tried {
    /// Makes the next move, if there is one.
    fn next(&mut self, rule: Rule, open: &[usize], colours: &mut [Option<bool>], dead: usize, turn: Player) -> bool {
        while self.at < open.len() {
            let colour = match self.colour {
                None if colours[open[self.at]].is_none() => Some(true),
                Some(true) => Some(false),
                _ => None,
            };
            self.colour = colour;
            match colour {
                None => self.at += 1,
                Some(colour) if rule.allows(turn, colour) => {
                    colours[open[self.at]] = Some(colour);
                    self.moved = true;
                    return true;
                }
                Some(_) => {}
            }
        }
        let first = !self.passed && dead > 0;
        self.passed = first;
        self.moved |= first;
        first
    }

    /// Takes the move back.
    fn take_back(&self, open: &[usize], colours: &mut [Option<bool>]) {
        if let (Some(&index), Some(_)) = (open.get(self.at), self.colour) {
            colours[index] = None;
        }
    }
}

impl Minimax<'_> {
    /// Who makes the move after so many others. No move comes behind the end of an order.
    fn mover(&self, place: usize) -> Player {
        match self.order {
            Some(order) => order.mover(place).unwrap_or(self.game.turn),
            None if place.is_multiple_of(2) => self.game.turn,
            None => !self.game.turn,
        }
    }

    /// The winner of a position after so many moves, which is as it was afterwards. Positions wait on a stack of their own for the value of
    /// the move they are trying.
    fn winner(&mut self, colours: &mut [Option<bool>], dead: usize, place: usize) -> Result<Player, StopReason> {
        let mut path: Vec<Tried> = Vec::new();
        let (mut dead, mut place) = (dead, place);
        let mut turn = self.mover(place);
        let mut known = None;
        loop {
            // 1. A position that was not met before waits for its first move.
            if known.is_none() {
                known = self.memory.get(&(colours.to_vec(), dead, turn)).copied();
                if known.is_none() {
                    self.nodes += 1;
                    if let Err(reason) = self.poller.poll(self.nodes) {
                        for tried in path.into_iter().rev() {
                            tried.take_back(self.open, colours);
                        }
                        return Err(reason);
                    }
                    path.push(Tried { at: 0, colour: None, passed: false, moved: false });
                }
            }
            // 2. The value of a position is that of a move for the one above it.
            if let Some(winner) = known.take() {
                let Some(tried) = path.last_mut() else { return Ok(winner) };
                dead += usize::from(tried.passed);
                place -= 1;
                turn = self.mover(place);
                tried.take_back(self.open, colours);
                if winner == turn {
                    known = Some(turn);
                }
            }
            // 3. The next move, or the end.
            let tried = path.last_mut().unwrap_or_else(|| unreachable!("a position waits"));
            if known.is_none() && tried.next(self.game.rule, self.open, colours, dead, turn) {
                dead -= usize::from(tried.passed);
                place += 1;
                turn = self.mover(place);
                continue;
            }
            let winner = match known {
                Some(winner) => winner,
                None if tried.moved => !turn,
                None if self.outcome(colours) => Player::Max,
                None => Player::Min,
            };
            path.pop();
            self.memory.insert((colours.to_vec(), dead, turn), winner);
            known = Some(winner);
        }
    }

    /// The formula's value under a complete colouring.
    fn outcome(&self, colours: &[Option<bool>]) -> bool {
        let value = |var: Var| {
            let index = self.elements.binary_search(&var).unwrap_or_else(|_| unreachable!("elements are listed"));
            colours[index] == Some(true)
        };
        let holds = |lit: &Lit| value(lit.var()) == lit.is_positive();
        match self.game.matrix() {
            GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(holds)),
            GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(holds)),
            GameMatrix::Circuit(circuit) => {
                let inputs: Vec<bool> = colours.iter().map(|&c| c == Some(true)).collect();
                circuit.evaluate(&inputs)
            }
        }
    }
}

/// Whether the formula, with the played colours filled in, never falls when this element rises, and never rises when it
/// rises: `(increasing, decreasing)`, by trying every colouring of the others. Both hold for a dead element.
///
/// # Errors
/// The reason to stop before it was known.
pub fn monotone_in(game: &Game, element: Var, control: &Control) -> Result<(bool, bool), StopReason> {
    let mut elements: Vec<Var> = match game.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.lits().iter().map(|lit| lit.var()).collect(),
        GameMatrix::Circuit(circuit) => (0..circuit.inputs()).map(Var::from_index).collect(),
    };
    elements.sort_unstable();
    elements.dedup();
    let Ok(at) = elements.binary_search(&element) else { return Ok((true, true)) };
    let played: FxHashMap<Var, bool> = game.played().iter().map(|lit| (lit.var(), lit.is_positive())).collect();
    let mut colours: Vec<Option<bool>> = elements.iter().map(|var| played.get(var).copied()).collect();
    let free: Vec<usize> = (0..elements.len()).filter(|&i| i != at && colours[i].is_none()).collect();
    for &index in &free {
        colours[index] = Some(false);
    }
    let mut judge = Minimax {
        game,
        elements: &elements,
        open: &[],
        memory: FxHashMap::default(),
        poller: control.poller(),
        nodes: 0,
        order: None,
    };
    let (mut increasing, mut decreasing) = (true, true);
    loop {
        judge.nodes += 1;
        judge.poller.poll(judge.nodes)?;
        colours[at] = Some(true);
        let high = judge.outcome(&colours);
        colours[at] = Some(false);
        let low = judge.outcome(&colours);
        increasing &= high >= low;
        decreasing &= high <= low;
        // The next colouring of the others, counting in binary.
        let carry = free.iter().find(|&&index| {
            let was = colours[index] == Some(true);
            colours[index] = Some(!was);
            !was
        });
        if carry.is_none() || !(increasing || decreasing) {
            return Ok((increasing, decreasing));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::{Circuit, CircuitBuilder};

    /// `(x0 == (x1 | x2)) & (x3 | x4)`, the example that shows that a rational move is not always best.
    fn punctual() -> Circuit {
        let mut b = CircuitBuilder::new(5);
        let x: Vec<Lit> = (0..5).map(|i| b.input(i)).collect();
        let or = b.or(&[x[1], x[2]]);
        let differ = b.xor(x[0], or);
        let pair = b.or(&[x[3], x[4]]);
        let all = b.and(&[!differ, pair]);
        b.finish(all)
    }

    fn equal(stars: usize) -> Game {
        let mut b = CircuitBuilder::new(2);
        let differ = b.xor(b.input(0), b.input(1));
        let mut game = Game::new(2, GameMatrix::Circuit(b.finish(!differ))).unwrap();
        game.add_stars(stars);
        game
    }

    fn winner(game: &Game) -> Player {
        evaluate_game(game, &Control::default()).unwrap().winner
    }

    #[test]
    fn a_star_changes_the_winner_of_an_equality() {
        assert_eq!(winner(&equal(0)), Player::Min);
        assert_eq!(winner(&equal(1)), Player::Max);
        assert_eq!(winner(&equal(2)), Player::Min);
        // Far more stars than can be played out.
        assert_eq!(winner(&equal(1_000_000)), Player::Min);
        assert_eq!(winner(&equal(1_000_001)), Player::Max);
    }

    #[test]
    fn billions_of_elements_are_not_listed() {
        let mut game = equal(0);
        game.add_stars((1 << 31) - 3);
        let value = evaluate_game(&game, &Control::default()).unwrap();
        assert_eq!(value.winner, Player::Max);
        assert_eq!(value.winning_moves.len(), 2 * GameValue::LISTED);
        assert_eq!(value.omitted, (1 << 31) - 3 - GameValue::LISTED);
    }

    #[test]
    fn winning_moves_need_not_be_rational() {
        let game = Game::new(5, GameMatrix::Circuit(punctual())).unwrap();
        let value = evaluate_game(&game, &Control::default()).unwrap();
        assert_eq!(value.winner, Player::Max);
        assert_eq!(value.winning_moves, [1, -2, -3].map(Lit::from_dimacs));
    }

    #[test]
    fn the_division_rule_restricts_colours() {
        // not x, MAX to move: under `own` MAX must colour x TRUE and loses.
        let rows = [[Lit::from_dimacs(-1)]].into_iter().collect();
        let mut game = Game::new(1, GameMatrix::Cnf(rows)).unwrap();
        assert_eq!(winner(&game), Player::Max);
        game.rule = Rule::Own;
        assert_eq!(winner(&game), Player::Min);
    }

    #[test]
    fn played_colours_are_filled_in() {
        let rows = [[1, 2].map(Lit::from_dimacs)].into_iter().collect();
        let mut game = Game::new(2, GameMatrix::Dnf(rows)).unwrap();
        assert_eq!(winner(&game), Player::Min);
        game.play(&[Lit::from_dimacs(1)]).unwrap();
        assert_eq!(winner(&game), Player::Max);
    }

    #[test]
    fn games_without_elements_are_decided() {
        let game = Game::new(0, GameMatrix::Cnf(Default::default())).unwrap();
        assert_eq!(winner(&game), Player::Max);
        let game = Game::new(0, GameMatrix::Dnf(Default::default())).unwrap();
        assert_eq!(winner(&game), Player::Min);
    }

    #[test]
    fn monotone_elements_are_recognised_by_meaning() {
        let rows = [[1, 2], [-1, 2]].map(|row| row.map(Lit::from_dimacs)).into_iter().collect();
        let game = Game::new(3, GameMatrix::Cnf(rows)).unwrap();
        let of = |number| monotone_in(&game, Var::from_dimacs(number), &Control::default()).unwrap();
        assert_eq!(of(1), (true, true));
        assert_eq!(of(2), (true, false));
        assert_eq!(of(3), (true, true));
        let equality = equal(0);
        assert_eq!(monotone_in(&equality, Var::from_dimacs(1), &Control::default()).unwrap(), (false, false));
    }
}
