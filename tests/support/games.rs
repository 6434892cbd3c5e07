//! A judge for small games that is fast enough for tens of thousands of them: every position of a game on n elements is a
//! number in base 3 (FALSE, TRUE, uncoloured), and both players' results are tabulated from the complete colourings up.
//! It shares nothing with the engine, and is itself held to `gamesat::check`.
#![allow(dead_code)] // each test file uses its part

use gamesat::formula::{CircuitBuilder, ClauseArena, Game, GameMatrix, GateKind, Lit, Player, Rule, Var};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const FREE: usize = 2;

/// All positions of a game, given by the formula's value for every colouring (bit `e` of the index colours element `e`).
pub struct Tabulated {
    elements: usize,
    rule: Rule,
    truth: Vec<bool>,
    /// Whether MAX wins, by position, with MAX to move and with MIN to move.
    max_wins: [Vec<bool>; 2],
}

fn power(element: usize) -> usize {
    3usize.pow(element as u32)
}

impl Tabulated {
    pub fn new(elements: usize, rule: Rule, truth: Vec<bool>) -> Self {
        assert_eq!(truth.len(), 1 << elements);
        let positions = power(elements);
        let mut max_wins = [vec![false; positions], vec![false; positions]];
        // Colouring an element makes the number smaller, so children come first.
        for position in 0..positions {
            let digit = |element: usize| position / power(element) % 3;
            let free: Vec<usize> = (0..elements).filter(|&e| digit(e) == FREE).collect();
            for (turn, player) in [Player::Max, Player::Min].into_iter().enumerate() {
                max_wins[turn][position] = if free.is_empty() {
                    let bits: usize = (0..elements).map(|e| digit(e) << e).sum();
                    truth[bits]
                } else {
                    let wins = |&e: &usize| {
                        [false, true].into_iter().filter(|&c| rule.allows(player, c)).any(|c| {
                            let child = position - (FREE - usize::from(c)) * power(e);
                            max_wins[1 - turn][child] == (player == Player::Max)
                        })
                    };
                    free.iter().any(wins) == (player == Player::Max)
                };
            }
        }
        Tabulated { elements, rule, truth, max_wins }
    }

    /// The number of the position with these colours played.
    fn position(&self, played: &[Lit]) -> usize {
        let all: usize = (0..self.elements).map(|e| FREE * power(e)).sum();
        played
            .iter()
            .fold(all, |position, lit| position - (FREE - usize::from(lit.is_positive())) * power(lit.var().index()))
    }

    pub fn winner(&self, played: &[Lit], turn: Player) -> Player {
        let row = usize::from(turn == Player::Min);
        if self.max_wins[row][self.position(played)] { Player::Max } else { Player::Min }
    }

    /// The rational winning moves: of a monotone element the rational colour only, of a dead one the mover's, unless the rule
    /// leaves no choice.
    pub fn winning_moves(&self, played: &[Lit], turn: Player) -> Vec<Lit> {
        let mut moves = Vec::new();
        for element in (0..self.elements).filter(|&e| played.iter().all(|lit| lit.var().index() != e)) {
            for colour in [true, false] {
                let lit = Var::from_index(element).lit(colour);
                let (rising, falling) = self.signs(element, played);
                let rational = match (rising, falling) {
                    (true, true) => true,
                    (_, false) => colour == turn.colour(),
                    (false, true) => colour != turn.colour(),
                };
                let forced = !self.rule.allows(turn, !colour);
                if !self.rule.allows(turn, colour) || !(rational || forced) {
                    continue;
                }
                let mut after = played.to_vec();
                after.push(lit);
                if self.winner(&after, !turn) == turn {
                    moves.push(lit);
                }
            }
        }
        moves
    }

    /// Whether the formula, with colours filled in, rises or falls somewhere in this element.
    fn signs(&self, element: usize, played: &[Lit]) -> (bool, bool) {
        let fits = |bits: usize| played.iter().all(|lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive());
        let low = (0..1 << self.elements).filter(|bits| bits >> element & 1 == 0 && fits(*bits));
        low.fold((false, false), |(rising, falling), bits| {
            let (before, after) = (self.truth[bits], self.truth[bits | 1 << element]);
            (rising || (!before && after), falling || (before && !after))
        })
    }

    /// The definition of a trace: with the uncoloured elements outside it quantified against the winner, who still wins.
    pub fn is_trace(&self, trace: &[Var], played: &[Lit], turn: Player, winner: Player) -> bool {
        let mut truth = self.truth.clone();
        for element in 0..self.elements {
            let coloured = played.iter().any(|lit| lit.var().index() == element);
            if coloured || trace.contains(&Var::from_index(element)) {
                continue;
            }
            for bits in (0..1 << self.elements).filter(|bits| bits >> element & 1 == 0) {
                let pair = [truth[bits], truth[bits | 1 << element]];
                let value = if winner == Player::Max { pair[0] && pair[1] } else { pair[0] || pair[1] };
                truth[bits] = value;
                truth[bits | 1 << element] = value;
            }
        }
        Tabulated::new(self.elements, self.rule, truth).winner(played, turn) == winner
    }
}

/// The formula's value for every colouring.
pub fn truth(game: &Game) -> Vec<bool> {
    let n = game.elements();
    (0..1usize << n)
        .map(|bits| {
            let holds = |lit: &Lit| (bits >> lit.var().index() & 1 != 0) == lit.is_positive();
            match game.matrix() {
                GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(holds)),
                GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(holds)),
                GameMatrix::Circuit(circuit) => {
                    circuit.evaluate(&(0..circuit.inputs()).map(|e| bits >> e & 1 != 0).collect::<Vec<_>>())
                }
            }
        })
        .collect()
}

pub fn tabulate(game: &Game) -> Tabulated {
    Tabulated::new(game.elements(), game.rule, truth(game))
}

/// What kind of formula to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Positive literals only.
    Isotone,
    /// A sign per element.
    Unate,
    /// Any literals.
    Mixed,
}

pub fn random_rows(random: &mut ChaCha8Rng, elements: usize, rows: usize, longest: usize, kind: Kind) -> ClauseArena {
    let flips: Vec<bool> = (0..elements).map(|_| random.random()).collect();
    (0..rows)
        .map(|_| {
            let length = random.random_range(1..=longest);
            let mut row = Vec::new();
            for _ in 0..length {
                let element = random.random_range(0..elements);
                let sign = match kind {
                    Kind::Isotone => true,
                    Kind::Unate => flips[element],
                    Kind::Mixed => random.random(),
                };
                row.push(Var::from_index(element).lit(sign));
            }
            row
        })
        .collect()
}

/// A random game of at most `most` elements, played ones and stars included.
pub fn random_game(random: &mut ChaCha8Rng, most: usize, kind: Kind) -> Game {
    let elements = random.random_range(1..=most);
    let used = random.random_range(elements.saturating_sub(2).max(1)..=elements);
    let longest = random.random_range(2..=4);
    let matrix = match random.random_range(0..9) {
        0 if kind == Kind::Mixed => {
            let mut b = CircuitBuilder::new(used);
            let mut last = b.input(0);
            for gate in 0..random.random_range(1..7) {
                let operands: Vec<Lit> = (0..3)
                    .map(|_| {
                        let var = Var::from_index(random.random_range(0..used + gate));
                        var.lit(random.random())
                    })
                    .collect();
                let kinds = [GateKind::And, GateKind::Or, GateKind::Xor, GateKind::Ite];
                last = b.gate(kinds[random.random_range(0..4)], &operands);
            }
            GameMatrix::Circuit(b.finish(last))
        }
        which => {
            let count = random.random_range(0..=2 * used + 1);
            let rows = random_rows(random, used, count, longest, kind);
            if which % 2 == 0 { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) }
        }
    };
    let mut game = Game::new(elements, matrix).unwrap();
    game.rule = if random.random() { Rule::Any } else { Rule::Own };
    game.turn = if random.random() { Player::Max } else { Player::Min };
    for element in 0..elements {
        if random.random_range(0..8) == 0 {
            game.play(&[Var::from_index(element).lit(random.random())]).unwrap();
        }
    }
    game
}
