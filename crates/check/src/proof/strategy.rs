//! Is this strategy a win? Decided node by node, knowing nothing of how it was found.
//!
//! **Claims.** Let `W` be the player whose strategy it is. Every node stands for a claim `(F, P, t)`: `F` is a set of
//! colours, `P` a set of other elements, `t` the player to move. A position *fits* the claim if it has the colours `F`,
//! the elements of `P` uncoloured, and `t` to move. The claim: **`W` wins every position that fits and can arise in
//! this game.** The elements outside `F` and `P` may be uncoloured or coloured in any way; nothing rests on them. What
//! is left of them only counts, as moves that lose no ground: how many uncoloured ones there are outside `P` is not
//! said by the claim, but whether their number is even or odd is, because every move takes one element: so the number
//! of uncoloured elements is odd with `W` to move iff `W` is to make the last move of the game, at every position of
//! one game.
//!
//! **Rules.** Claims are not in the file. They are derived from the leaves up, as weak as the node allows:
//! 1. *Leaf* with colours `F` and disjoint pairs of literals: `P` is the elements of the pairs, and the formula must
//!    have `W`'s value whenever `F` is true and so is a literal of every pair; `W` must be allowed to make these
//!    literals true.
//! 2. *Move* `l` to a child `(F', P', other)`: `l`'s element is not in `P'`, the opposite of `l` not in `F'`, the rule
//!    allows it; the claim is `(F' - l, P' + element of l, W)`.
//! 3. *Spare* move to a child `(F', P', other)`: the claim is `(F', P', W)`, and the number of uncoloured elements
//!    outside `P'` must be odd.
//! 4. *Replies*, children with `W` to move, some of them tied to a reply `l`: `F` is the union of their `F'`, without
//!    `l` where one is tied to `l`; `P` is the union of their `P'` and of the elements of the tied replies. `F` must
//!    not contradict itself nor mention elements of `P`. For each element of `P` and each colour that the loser may
//!    give it, there must be a child tied to that reply, without its element in `P'`, or an untied child that does not
//!    need the element. If the number of uncoloured elements outside `P` is odd, there must be an untied child; if it
//!    is even, `P` must not be empty.
//!
//! The root's `F` must be on the board, its `P` uncoloured, its player to move.
//!
//! Nothing here asks how many colours there are: in a game with more than two of them a literal is the statement that an
//! element has a colour, and a reply is answered in every colour that the element can have. What is needed is that both
//! players may colour every element, so games with elements for one player alone have no such strategies.
//!
//! **Theorem.** *Every derived claim is true*, in every set colouring game: isotone or not, under either rule.
//! *Proof* by induction on the number of uncoloured elements of the position that fits.
//! 1. `W` keeps to this: before the loser moves, every pair has a true literal or two uncoloured elements. That is so
//!    at the beginning. The loser can spoil one pair at a time, by making one of its literals false; then `W` makes the
//!    other one true. If no pair is spoilt, `W` makes a literal true in a pair that has two uncoloured elements, or,
//!    without such a pair, moves anywhere; neither spoils a pair. So in the end every pair has a true literal, and `F`
//!    holds as it did.
//! 2. The element of `l` is in `P`, so uncoloured. After the move the position fits the child, and has one uncoloured
//!    element less.
//! 3. An odd number is not zero: there is an uncoloured element outside `P`. `W` gives it a colour that the rule
//!    allows; the position then fits the child.
//! 4. The game is not over: `P` is not empty, or an odd number of elements outside it is uncoloured. A reply in `P`
//!    leads to a position that fits the child that covers it: a tied one has `F' ⊆ F + l`; an untied one has `F' ⊆ F`;
//!    and both have `P' ⊆ P` without the reply's element. A reply outside `P`: if their number was odd, it fits the
//!    untied child. If it was even, another one is uncoloured; `W` colours it, and the position fits the same node with
//!    two uncoloured elements less. ∎
//!
//! One untied child thus serves all replies outside its `P'`: the mustplay argument. In an isotone game no child needs
//! to rely on a colour of the loser, and the rule for replies says no more than that the children's `P'` have no
//! element in common.

use super::board_decided::BoardDecided;
use super::colouring_decided::ColouringDecided;
use super::decided::Decided;
use super::judge::Judge;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Colouring, Game, Lit, Player, Rule, Strategy, StrategyNode, Var};
use gamesat_core::rules::Board;
use std::fmt;

/// The most literals that the claims in use may have together: a hostile file of a megabyte can derive terabytes of them.
const MOST_LITERALS: usize = 1 << 26;

/// What a node says; see the head of `crates/check/src/proof/strategy.rs`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Colours that the winner relies on, sorted.
    pub holds: Vec<Lit>,
    /// Uncoloured elements that the winner relies on, sorted.
    pub open: Vec<Var>,
}

impl Claim {
    fn len(&self) -> usize {
        self.holds.len() + self.open.len()
    }
}

/// Why a strategy was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// The strategy is wrong.
    #[error("{0}")]
    Rejected(Rejection),
    /// It is not known whether the strategy is right.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for StrategyError {
    fn from(reason: StopReason) -> Self {
        StrategyError::Stopped(reason)
    }
}

/// Where a strategy is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The node, counted from 1 as in the file; the last one also stands for how the whole fits the game.
    pub node: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: {}", self.node, self.reason)
    }
}

/// Whether the strategy wins the game for its player. Returns the claim of the root: its `open` elements are a trace of
/// the position.
///
/// # Errors
/// The first node that is wrong, or the reason to stop before it was known.
pub fn check_game_strategy(
    game: &Game,
    strategy: &Strategy,
    judge: Judge,
    control: &Control,
) -> Result<Claim, StrategyError> {
    let position = Position {
        elements: game.elements(),
        uncoloured: game.uncoloured(),
        turn: game.turn,
        shape: Shape::TrueOrFalse(game.rule),
        played: sorted(game.played().to_vec()),
    };
    let leaves = Leaves::Formula(Decided::new(game, strategy.winner(), judge, control)?);
    check(position, leaves, strategy, control)
}

/// Whether the strategy wins on the board for its player, by the board's own rules: each side takes elements in its own
/// colour until none is left.
///
/// # Errors
/// The first node that is wrong, a game that ends otherwise than with a full board, or the reason to stop before it was
/// known.
pub(super) fn check_board_strategy(
    board: &Board,
    strategy: &Strategy,
    judge: Judge,
    control: &Control,
) -> Result<Claim, StrategyError> {
    if board.has_plies() {
        let reason = "a strategy says nothing about plies, and this game ends before the board is full".to_owned();
        return Err(StrategyError::Rejected(Rejection { node: strategy.len(), reason }));
    }
    let played = sorted(board.played());
    let position = Position {
        elements: board.elements(),
        uncoloured: board.elements() - played.len(),
        turn: board.player(board.turn),
        shape: Shape::TrueOrFalse(Rule::Own),
        played,
    };
    let leaves = Leaves::Board(Box::new(BoardDecided::new(board, strategy.winner(), judge)?));
    check(position, leaves, strategy, control)
}

/// Whether the strategy wins a game with any number of colours.
///
/// # Errors
/// The first node that is wrong, a game that is no plain set colouring game, or the reason to stop before it was known.
pub(super) fn check_colouring_strategy(
    game: &Colouring,
    strategy: &Strategy,
    judge: Judge,
    control: &Control,
) -> Result<Claim, StrategyError> {
    let flaw = match game {
        _ if game.weights().is_some() => Some("a strategy wins a formula, and this game has a score"),
        _ if game.is_restricted() || game.rule == Rule::Own => Some("not every element is for both players here"),
        _ => None,
    };
    if let Some(reason) = flaw {
        return Err(StrategyError::Rejected(Rejection { node: strategy.len(), reason: reason.to_owned() }));
    }
    let position = Position {
        elements: game.elements(),
        uncoloured: game.uncoloured(),
        turn: game.turn,
        shape: Shape::Colours(Box::new(game.clone())),
        played: sorted(game.played().to_vec()),
    };
    let leaves = Leaves::Colouring(Box::new(ColouringDecided::new(game, strategy.winner(), judge, control)?));
    check(position, leaves, strategy, control)
}

fn sorted(mut lits: Vec<Lit>) -> Vec<Lit> {
    lits.sort_unstable();
    lits
}

/// Who decides whether a leaf is won.
enum Leaves {
    Formula(Decided),
    Board(Box<BoardDecided>),
    Colouring(Box<ColouringDecided>),
}

impl Leaves {
    fn decided(&mut self, holds: &[Lit], pairs: &[Lit], control: &Control) -> Result<bool, StopReason> {
        match self {
            Leaves::Formula(formula) => formula.by(holds, pairs, control),
            Leaves::Board(board) => board.by(holds, pairs, control),
            Leaves::Colouring(colouring) => colouring.by(holds, pairs, control),
        }
    }
}

/// What literals mean.
enum Shape {
    /// An element is TRUE or FALSE.
    TrueOrFalse(Rule),
    /// An element has a colour.
    Colours(Box<Colouring>),
}

/// What a strategy must know of a position, whether of a formula or of a board.
struct Position {
    elements: usize,
    uncoloured: usize,
    turn: Player,
    shape: Shape,
    /// The colours played, sorted.
    played: Vec<Lit>,
}

impl Position {
    /// The element that a literal is about.
    fn element(&self, lit: Lit) -> Var {
        match &self.shape {
            Shape::TrueOrFalse(_) => lit.var(),
            Shape::Colours(game) => game.element(lit),
        }
    }

    /// Whether a player may make a literal true.
    fn allows(&self, player: Player, lit: Lit) -> bool {
        match &self.shape {
            Shape::TrueOrFalse(rule) => rule.allows(player, lit.is_positive()),
            Shape::Colours(game) => game.choices(player, game.element(lit)) >> game.colour(lit) & 1 != 0,
        }
    }

    /// Every move of a player in an element.
    fn moves(&self, player: Player, element: Var) -> Vec<Lit> {
        let all: Vec<Lit> = match &self.shape {
            Shape::TrueOrFalse(_) => [true, false].map(|colour| element.lit(colour)).to_vec(),
            Shape::Colours(game) => (0..game.colours()).map(|colour| game.atom(element, colour)).collect(),
        };
        all.into_iter().filter(|&lit| self.allows(player, lit)).collect()
    }

    /// Whether no element is relied on in two ways.
    fn consistent(&self, claim: &Claim) -> Result<(), String> {
        // Literals about one element are neighbours.
        if let Some(two) = claim.holds.windows(2).find(|two| self.element(two[0]) == self.element(two[1])) {
            return Err(format!("element {} is relied on twice", self.element(two[0])));
        }
        let both = claim.holds.iter().map(|&lit| self.element(lit)).find(|var| claim.open.binary_search(var).is_ok());
        both.map_or(Ok(()), |var| Err(format!("element {var} is relied on as coloured and as uncoloured")))
    }
}

fn check(position: Position, leaves: Leaves, strategy: &Strategy, control: &Control) -> Result<Claim, StrategyError> {
    let mut poller = control.poller();
    let mut last_use: Vec<u32> = vec![0; strategy.len()];
    for (number, node) in strategy.nodes().enumerate() {
        node.children().for_each(|child| last_use[child as usize] = number as u32);
    }
    let mut checker = Checker::new(position, leaves, strategy.winner());
    let mut claims: Vec<Derived> = Vec::with_capacity(strategy.len());
    let mut in_use = 0;
    let rejected = |number: usize, reason: String| StrategyError::Rejected(Rejection { node: number + 1, reason });
    for (number, node) in strategy.nodes().enumerate() {
        poller.poll(number as u64)?;
        let derived = match checker.derive(node, &claims, control)? {
            Ok(derived) => derived,
            Err(reason) => return Err(rejected(number, reason)),
        };
        in_use += derived.claim.len();
        claims.push(derived);
        for child in node.children().filter(|&child| last_use[child as usize] == number as u32) {
            in_use -= std::mem::take(&mut claims[child as usize].claim).len();
        }
        if in_use > MOST_LITERALS {
            return Err(StopReason::Memory.into());
        }
    }
    let Some(root) = claims.pop() else { return Err(rejected(0, "there is no node".to_owned())) };
    checker.fits(&root).map_err(|reason| rejected(claims.len(), reason))?;
    Ok(root.claim)
}

/// A claim and whose turn it is about, `None` for either's.
struct Derived {
    claim: Claim,
    turn: Option<Player>,
}

struct Checker {
    game: Position,
    winner: Player,
    /// Whether the winner makes the last move of the game.
    last: bool,
    leaves: Leaves,
}

impl Checker {
    fn new(game: Position, leaves: Leaves, winner: Player) -> Self {
        let odd = game.uncoloured % 2 == 1;
        let last = odd == (game.turn == winner);
        Checker { game, winner, last, leaves }
    }

    /// Whether the number of uncoloured elements outside `open` is odd, with this player to move.
    fn odd_outside(&self, turn: Player, open: &[Var]) -> bool {
        let odd_left = self.last == (turn == self.winner);
        odd_left != (open.len() % 2 == 1)
    }

    /// The claim of a node, or what is wrong with it.
    fn derive(
        &mut self,
        node: StrategyNode<'_>,
        claims: &[Derived],
        control: &Control,
    ) -> Result<Result<Derived, String>, StopReason> {
        Ok(match node {
            StrategyNode::Leaf { holds, pairs } => {
                let leaf = self.leaf(holds, pairs);
                if leaf.is_ok() && !self.leaves.decided(holds, pairs, control)? {
                    Err("the leaf does not decide the game".to_owned())
                } else {
                    leaf
                }
            }
            StrategyNode::Move { lit, child } => self.play(lit, &claims[child as usize]),
            StrategyNode::Spare { child } => self.spare(&claims[child as usize]),
            StrategyNode::Replies { any, lits, after } => {
                let any: Vec<&Derived> = any.iter().map(|&child| &claims[child as usize]).collect();
                let tied: Vec<(Lit, &Derived)> =
                    lits.iter().zip(after).map(|(&lit, &child)| (lit, &claims[child as usize])).collect();
                self.replies(&any, &tied)
            }
        })
    }

    fn leaf(&self, holds: &[Lit], pairs: &[Lit]) -> Result<Derived, String> {
        let mut claim =
            Claim { holds: holds.to_vec(), open: pairs.iter().map(|&lit| self.game.element(lit)).collect() };
        claim.holds.sort_unstable();
        claim.open.sort_unstable();
        if let Some(twice) = claim.open.windows(2).find(|two| two[0] == two[1]) {
            return Err(format!("element {} is in two pairs", twice[0]));
        }
        for &lit in holds.iter().chain(pairs) {
            self.in_range(lit)?;
        }
        if let Some(&lit) = pairs.iter().find(|&&lit| !self.game.allows(self.winner, lit)) {
            return Err(format!("{} may not make {lit} true", self.winner));
        }
        self.game.consistent(&claim)?;
        Ok(Derived { claim, turn: None })
    }

    fn play(&self, lit: Lit, child: &Derived) -> Result<Derived, String> {
        self.in_range(lit)?;
        self.turn_of(child, !self.winner)?;
        if !self.game.allows(self.winner, lit) {
            return Err(format!("{} may not play {lit}", self.winner));
        }
        let mut claim = child.claim.clone();
        let element = self.game.element(lit);
        match claim.open.binary_search(&element) {
            Ok(_) => return Err(format!("element {element} is needed uncoloured after it was played")),
            Err(at) => claim.open.insert(at, element),
        }
        claim.holds.retain(|&held| held != lit);
        self.game.consistent(&claim)?;
        Ok(Derived { claim, turn: Some(self.winner) })
    }

    fn spare(&self, child: &Derived) -> Result<Derived, String> {
        self.turn_of(child, !self.winner)?;
        if !self.odd_outside(self.winner, &child.claim.open) {
            return Err("there may be no element left for a spare move".to_owned());
        }
        Ok(Derived { claim: child.claim.clone(), turn: Some(self.winner) })
    }

    fn replies(&self, any: &[&Derived], tied: &[(Lit, &Derived)]) -> Result<Derived, String> {
        let loser = !self.winner;
        let mut claim = Claim::default();
        for child in any {
            self.turn_of(child, self.winner)?;
            claim.holds.extend_from_slice(&child.claim.holds);
            claim.open.extend_from_slice(&child.claim.open);
        }
        claim.open.sort_unstable();
        // Elements that every untied child needs.
        let mut common: Vec<Var> = Vec::new();
        if !any.is_empty() {
            common.extend(claim.open.chunk_by(|a, b| a == b).filter(|run| run.len() == any.len()).map(|run| run[0]));
        }
        for &(lit, child) in tied {
            self.in_range(lit)?;
            self.turn_of(child, self.winner)?;
            let element = self.game.element(lit);
            if child.claim.open.binary_search(&element).is_ok() {
                return Err(format!("element {element} is needed uncoloured after the reply {lit}"));
            }
            claim.holds.extend(child.claim.holds.iter().filter(|&&held| held != lit));
            claim.open.extend_from_slice(&child.claim.open);
            claim.open.push(element);
        }
        claim.holds.sort_unstable();
        claim.holds.dedup();
        claim.open.sort_unstable();
        claim.open.dedup();
        self.game.consistent(&claim)?;

        let mut answered: Vec<Lit> = tied.iter().map(|&(lit, _)| lit).collect();
        answered.sort_unstable();
        let to_answer = if any.is_empty() { &claim.open } else { &common };
        for &element in to_answer {
            let replies = self.game.moves(loser, element);
            if let Some(lit) = replies.iter().find(|lit| answered.binary_search(lit).is_err()) {
                return Err(format!("the reply {lit} is not answered"));
            }
        }
        match self.odd_outside(loser, &claim.open) {
            true if any.is_empty() => return Err("a reply on which nothing rests is not answered".to_owned()),
            false if claim.open.is_empty() => return Err("the game may be over here".to_owned()),
            _ => {}
        }
        Ok(Derived { claim, turn: Some(loser) })
    }

    /// Whether the root fits the game's position.
    fn fits(&self, root: &Derived) -> Result<(), String> {
        self.turn_of(root, self.game.turn)?;
        let played = &self.game.played;
        if let Some(lit) = root.claim.holds.iter().find(|lit| played.binary_search(lit).is_err()) {
            return Err(format!("the root relies on {lit}, which is not played"));
        }
        let coloured: Vec<Var> = played.iter().map(|&lit| self.game.element(lit)).collect();
        if let Some(var) = root.claim.open.iter().find(|&var| coloured.binary_search(var).is_ok()) {
            return Err(format!("the root needs element {var} uncoloured, but it is played"));
        }
        Ok(())
    }

    fn turn_of(&self, node: &Derived, turn: Player) -> Result<(), String> {
        if node.turn.is_some_and(|actual| actual != turn) {
            return Err(format!("{turn} would be to move, but it is {}'s turn there", !turn));
        }
        Ok(())
    }

    fn in_range(&self, lit: Lit) -> Result<(), String> {
        let element = self.game.element(lit);
        if element.index() >= self.game.elements {
            return Err(format!("element {element} is out of range: there are {}", self.game.elements));
        }
        match &self.game.shape {
            Shape::Colours(game) if lit.is_negative() || game.domain(element) >> game.colour(lit) & 1 == 0 => {
                Err(format!("{lit} is no colour of element {element}"))
            }
            _ => Ok(()),
        }
    }
}
