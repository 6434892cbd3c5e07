//! Winning strategies: from a search that knows who wins to a graph of moves that proves it.
//!
//! The search answers two kinds of question, who wins and by which move, with every reduction it has and a table that is
//! warm. Nothing of that is trusted by whoever checks the strategy: here each position that the winner may meet is
//! played out, down to leaves that decide the formula by what is on the board, and what a node needs is derived from its
//! children by the very rules that `crates/check/src/proof/strategy.rs` proves.
//!
//! What keeps the graph small:
//! - a claim found once serves every position that fits it: the colours it relies on are there, the elements it needs
//!   are uncoloured. That covers transpositions, and far more;
//! - replies are grouped by the mustplay argument. In an isotone game the first question is what the winner would do if
//!   the loser passed: the elements that this needs are the only replies that are left;
//! - a leaf may end in pairs ([`leaf`]), of which the winner gets one element each.

mod leaf;

use super::mask::Mask;
use super::position::{Move, index};
use super::prepare::Prepared;
use super::search::Search;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Game, Lit, Player, Strategy, StrategyNode};
use rustc_hash::FxHashMap;

/// What the winner relies on: literals that are true (as they stand in the winner's rows), elements that are uncoloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Claim<const W: usize> {
    holds: Mask<W>,
    open: Mask<W>,
}

/// A node with local literals and elements; see [`StrategyNode`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node<const W: usize> {
    Leaf(Mask<W>, Vec<[u16; 2]>),
    Move(Move, u32),
    Spare(u32),
    /// Children for any reply, and those tied to a reply.
    Replies(Vec<u32>, Vec<(Move, u32)>),
}

/// Plays out the position that is on top of the search's stack, which the winner wins.
///
/// # Errors
/// The reason to stop before the strategy was complete.
pub(super) fn build<const W: usize>(
    game: &Game,
    prepared: &Prepared,
    search: &mut Search<'_, W>,
    winner: Player,
    control: &Control,
) -> Result<Strategy, StopReason> {
    let rows = [Player::Max, Player::Min].map(|player| {
        let form = search.position.form(player);
        form.map(|form| form.rows().collect::<Vec<_>>())
    });
    let mut builder = Builder {
        winner,
        last: search.position.last_mover() == winner,
        signed: prepared.signed,
        poller: control.poller(),
        search,
        rows,
        coloured: Mask::default(),
        nodes: Vec::new(),
        claims: Vec::new(),
        by_content: FxHashMap::default(),
        by_turn: [Vec::new(), Vec::new()],
    };
    let root = builder.root()?;
    Ok(builder.emit(root, prepared, &leaf::background(game, winner)))
}

struct Builder<'s, 'a, 'c, const W: usize> {
    search: &'s mut Search<'a, W>,
    winner: Player,
    /// Whether the winner makes the last move of the game.
    last: bool,
    signed: bool,
    /// The rows of both players before the first move.
    rows: [Option<Vec<Mask<W>>>; 2],
    /// Literals of the winner's rows that were made true on the path here.
    coloured: Mask<W>,
    nodes: Vec<Node<W>>,
    claims: Vec<Claim<W>>,
    by_content: FxHashMap<Node<W>, u32>,
    /// The claims with the winner, and with the loser to move; leaves are in both.
    by_turn: [Vec<(Claim<W>, u32)>; 2],
    poller: Poller<'c>,
}

/// A node under construction, between one child and the next.
enum Task<const W: usize> {
    /// The winner's move; `settled` once no other move will be tried.
    Answer { choice: Move, settled: bool },
    /// Children of the loser's replies in an isotone game, and the elements that all of them need.
    Isotone { children: Vec<u32>, common: Mask<W> },
    /// Children of the loser's replies in any other game, what they need together, and the reply that is being answered.
    Replies { any: Vec<u32>, tied: Vec<(Move, u32)>, claim: Claim<W>, reply: Move },
}

/// What is to be done next.
enum Step<const W: usize> {
    /// The present position has its node.
    Done(u32),
    /// The position after a move needs one first.
    Descend(Move, Task<W>),
}

impl<const W: usize> Builder<'_, '_, '_, W> {
    /// A node whose claim fits the present position. Nodes above the one at work wait on a stack of their own.
    fn root(&mut self) -> Result<u32, StopReason> {
        let mut waiting: Vec<(Task<W>, Mask<W>)> = Vec::new();
        let mut step = self.enter();
        loop {
            step = match step {
                Ok(Step::Descend(choice, task)) => {
                    waiting.push((task, self.coloured));
                    self.coloured |= self.made_true(choice);
                    self.search.position.push();
                    self.search.position.play(choice);
                    self.enter()
                }
                done => {
                    let Some((task, before)) = waiting.pop() else {
                        return done.map(|step| match step {
                            Step::Done(node) => node,
                            Step::Descend(..) => unreachable!("descended above"),
                        });
                    };
                    self.search.position.pop();
                    self.coloured = before;
                    match done {
                        Ok(Step::Done(child)) => self.resume(task, child),
                        stopped => stopped,
                    }
                }
            };
        }
    }

    /// Begins the node of the present position.
    fn enter(&mut self) -> Result<Step<W>, StopReason> {
        self.poller.poll(self.search.nodes)?;
        let turn = self.search.position.turn();
        // 1. Is there one?
        let (coloured, live) = (self.coloured, self.search.position.live());
        let fits = |(claim, _): &&(Claim<W>, u32)| claim.holds.is_subset(&coloured) && claim.open.is_subset(&live);
        if let Some(&(_, known)) = self.by_turn[usize::from(turn != self.winner)].iter().find(fits) {
            return Ok(Step::Done(known));
        }
        // 2. Nothing left to do?
        if let Some((holds, pairs)) = self.leaf() {
            let open = pairs.iter().flatten().fold(Mask::default(), |open, &literal| {
                open | Mask::single(self.search.position.element(usize::from(literal)))
            });
            return Ok(Step::Done(self.add(Node::Leaf(holds, pairs), Claim { holds, open }, None)));
        }
        // 3. Play on.
        if turn == self.winner {
            let choice = self.ask()?;
            Ok(Step::Descend(choice, Task::Answer { choice, settled: false }))
        } else if self.signed {
            Ok(self.replies(Vec::new(), Vec::new(), Claim::default()))
        } else {
            // What would the winner need if the loser passed?
            let common = !Mask::default();
            Ok(Step::Descend(Move::Pass, Task::Isotone { children: Vec::new(), common }))
        }
    }

    /// Goes on with a node, one of whose children is there now.
    fn resume(&mut self, task: Task<W>, child: u32) -> Result<Step<W>, StopReason> {
        let needs = self.claims[child as usize];
        Ok(match task {
            Task::Answer { choice, settled } => self.answer(choice, child, settled),
            Task::Isotone { mut children, common } => {
                children.push(child);
                self.isotone_replies(children, common & needs.open)
            }
            Task::Replies { mut any, mut tied, claim, reply } => {
                let mut needs = needs;
                // Does the child rely on the reply?
                let lit = self.made_true(reply);
                if needs.holds.intersects(&lit) {
                    tied.push((reply, child));
                    needs.holds = needs.holds.minus(lit);
                    needs.open |= Self::element(reply);
                } else {
                    any.push(child);
                }
                self.replies(any, tied, join(claim, needs))
            }
        })
    }

    /// The literal of the winner's rows that a move makes true, as a set.
    fn made_true(&self, choice: Move) -> Mask<W> {
        match choice {
            Move::Colour(element, colour) if self.signed || colour == self.winner.colour() => {
                Mask::single(self.search.position.literal(usize::from(element), colour))
            }
            _ => Mask::default(),
        }
    }

    /// The element of a move, as a set.
    fn element(choice: Move) -> Mask<W> {
        super::reduce::element(choice)
    }

    /// Whether the number of uncoloured elements outside `open` is odd, with this player to move.
    fn odd_outside(&self, turn: Player, open: Mask<W>) -> bool {
        let odd_left = self.last == (turn == self.winner);
        odd_left != (open.len() % 2 == 1)
    }

    fn add(&mut self, node: Node<W>, claim: Claim<W>, turn: Option<Player>) -> u32 {
        if let Some(&known) = self.by_content.get(&node) {
            return known;
        }
        let number = self.nodes.len() as u32;
        self.by_content.insert(node.clone(), number);
        self.nodes.push(node);
        self.claims.push(claim);
        for (list, player) in self.by_turn.iter_mut().zip([self.winner, !self.winner]) {
            if turn.is_none_or(|turn| turn == player) {
                list.push((claim, number));
            }
        }
        number
    }

    /// The winner's move, whose child is known.
    fn answer(&mut self, mut choice: Move, child: u32, settled: bool) -> Step<W> {
        let claim = self.claims[child as usize];
        if !settled && !self.made_true(choice).intersects(&claim.holds) {
            // Nothing rests on the move but that it is one.
            if self.odd_outside(self.winner, claim.open) {
                return Step::Done(self.add(Node::Spare(child), claim, Some(self.winner)));
            }
            let outside = self.search.position.live().minus(claim.open);
            if !self.signed
                && let Some(element) = claim.open.lowest()
            {
                // An element of one's own is never wasted where something rests on it.
                let choice = Move::Colour(element as u16, self.winner.colour());
                return Step::Descend(choice, Task::Answer { choice, settled: true });
            } else if let (Move::Pass, Some(element)) = (choice, outside.lowest()) {
                // An even number is left, a dead one among them: there is another.
                choice = Move::Colour(element as u16, self.winner.colour());
            }
        }
        let claim =
            Claim { holds: claim.holds.minus(self.made_true(choice)), open: claim.open | Self::element(choice) };
        let node = if choice == Move::Pass { Node::Spare(child) } else { Node::Move(choice, child) };
        Step::Done(self.add(node, claim, Some(self.winner)))
    }

    /// A winning move, from the search.
    fn ask(&mut self) -> Result<Move, StopReason> {
        self.search.position.push();
        let value = self.search.solve(true);
        self.search.position.pop();
        let value = value?;
        debug_assert!(value.winner == self.winner, "the search contradicts itself");
        let position = &self.search.position;
        let occurrence = position.occurrence(&position.scan());
        match value.choice {
            // The search has passed in an element of the formula on which nothing depends any more.
            Some(Move::Pass) if !position.has_star() => {
                let dead = position.live().minus(occurrence.rising | occurrence.falling);
                return Ok(dead.lowest().map_or(Move::Pass, |e| Move::Colour(e as u16, self.winner.colour())));
            }
            Some(choice) => return Ok(choice),
            // Won without a move being singled out: the formula is isotone by now, and any element of the trace is good.
            None => {}
        }
        let of_use = value.trace & (occurrence.rising | occurrence.falling) & position.live();
        let element = of_use.lowest().or(position.live().lowest()).map_or(0, |element| element as u16);
        let colours = [self.winner.colour(), !self.winner.colour()];
        let rational = colours.into_iter().map(|colour| Move::Colour(element, colour)).find(|&choice| {
            let Move::Colour(_, colour) = choice else { return false };
            position.rule().allows(self.winner, colour) && self.search.is_rational(choice, &occurrence)
        });
        Ok(rational.unwrap_or(Move::Colour(element, self.winner.colour())))
    }

    /// The loser's replies in an isotone game: children that have no element in common.
    fn isotone_replies(&mut self, mut children: Vec<u32>, common: Mask<W>) -> Step<W> {
        // 1. Take the elements that all of them need away, one by one.
        if let Some(element) = self.strongest(common) {
            let reply = Move::Colour(element as u16, (!self.winner).colour());
            return Step::Descend(reply, Task::Isotone { children, common });
        }
        // 2. Some of the children may have become superfluous.
        let mut at = 0;
        while at < children.len() {
            let others = children.iter().enumerate().filter(|&(other, _)| other != at);
            let common = others.fold(!Mask::default(), |common, (_, &child)| common & self.claims[child as usize].open);
            if common.is_empty() {
                children.remove(at);
            } else {
                at += 1;
            }
        }
        children.sort_unstable();
        let claim = children.iter().map(|&child| self.claims[child as usize]).fold(Claim::default(), join);
        Step::Done(self.add(Node::Replies(children, Vec::new()), claim, Some(!self.winner)))
    }

    /// The element of a set that is worth most in the winner's rows.
    fn strongest(&self, elements: Mask<W>) -> Option<usize> {
        let Some(form) = self.search.position.form(self.winner) else { return elements.lowest() };
        let mut weights = vec![0u64; Mask::<W>::BITS];
        for row in form.rows() {
            let weight = 1u64 << 40 >> row.len().min(40);
            (row & elements).iter().for_each(|element| weights[element] += weight);
        }
        elements.iter().max_by_key(|&element| weights[element])
    }

    /// The loser's replies in a game that is not isotone: until every one of them has its child.
    fn replies(&mut self, mut any: Vec<u32>, tied: Vec<(Move, u32)>, claim: Claim<W>) -> Step<W> {
        let loser = !self.winner;
        let rule = self.search.position.rule();
        let common = any.iter().fold(claim.open, |common, &child| common & self.claims[child as usize].open);
        let unanswered = common.iter().find_map(|element| {
            let replies = [true, false].map(|colour| Move::Colour(element as u16, colour));
            replies.into_iter().find(|&reply| {
                let Move::Colour(_, colour) = reply else { return false };
                rule.allows(loser, colour) && tied.iter().all(|&(other, _)| other != reply)
            })
        });
        let outside = self.search.position.live().minus(claim.open);
        let reply = match unanswered {
            Some(reply) => reply,
            None if any.is_empty() && (claim.open.is_empty() || self.odd_outside(loser, claim.open)) => {
                match outside.lowest() {
                    _ if self.search.position.has_star() => Move::Pass,
                    Some(element) => Move::Colour(element as u16, loser.colour()),
                    None => Move::Pass,
                }
            }
            None => {
                any.sort_unstable();
                any.dedup();
                return Step::Done(self.add(Node::Replies(any, tied), claim, Some(loser)));
            }
        };
        Step::Descend(reply, Task::Replies { any, tied, claim, reply })
    }

    /// The strategy below a node, with the game's own literals. `background` is relied on by every leaf.
    fn emit(&self, root: u32, prepared: &Prepared, background: &[Lit]) -> Strategy {
        let position = &self.search.position;
        let lit = |choice: Move| match choice {
            Move::Colour(element, colour) => prepared.lit(usize::from(element), colour),
            Move::Pass => unreachable!("passes become spare moves"),
        };
        let literal = |literal: usize| lit(position.hit(self.winner, literal));
        let mut used = vec![false; root as usize + 1];
        used[root as usize] = true;
        let mut strategy = Strategy::new(self.winner);
        let mut numbers = vec![0u32; used.len()];
        for number in (0..used.len()).rev() {
            if !used[number] {
                continue;
            }
            match &self.nodes[number] {
                Node::Leaf(..) => {}
                Node::Move(_, child) | Node::Spare(child) => used[*child as usize] = true,
                Node::Replies(any, tied) => {
                    any.iter()
                        .chain(tied.iter().map(|(_, child)| child))
                        .for_each(|&child| used[child as usize] = true);
                }
            }
        }
        for number in (0..used.len()).filter(|&number| used[number]) {
            numbers[number] = match &self.nodes[number] {
                Node::Leaf(holds, pairs) => {
                    let holds: Vec<Lit> = background.iter().copied().chain(holds.iter().map(literal)).collect();
                    let pairs: Vec<Lit> = pairs.iter().flatten().map(|&one| literal(usize::from(one))).collect();
                    strategy.push(StrategyNode::Leaf { holds: &holds, pairs: &pairs })
                }
                Node::Move(choice, child) => {
                    strategy.push(StrategyNode::Move { lit: lit(*choice), child: numbers[*child as usize] })
                }
                Node::Spare(child) => strategy.push(StrategyNode::Spare { child: numbers[*child as usize] }),
                Node::Replies(any, tied) => {
                    let any: Vec<u32> = any.iter().map(|&child| numbers[child as usize]).collect();
                    let lits: Vec<Lit> = tied.iter().map(|&(reply, _)| lit(reply)).collect();
                    let after: Vec<u32> = tied.iter().map(|&(_, child)| numbers[child as usize]).collect();
                    strategy.push(StrategyNode::Replies { any: &any, lits: &lits, after: &after })
                }
            };
        }
        strategy
    }
}

/// Both claims together.
fn join<const W: usize>(one: Claim<W>, two: Claim<W>) -> Claim<W> {
    Claim { holds: one.holds | two.holds, open: one.open | two.open }
}
