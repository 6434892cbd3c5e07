//! Dots-and-Boxes in phases. As long as there are safe moves, take what is free and make the number of long chains right;
//! when only chains and cycles are left, open short ones first, and keep the control of long ones by double-crosses.
//!
//! The long-chain rule: dots and long chains together are even in number if the first player shall win, odd if the second
//! shall. An opened chain is left at its last two boxes. An opened cycle is left at its last four if the rival stays below
//! half of all boxes even so. (S. Li, D. Li, X. Yuan: *Research and Implementation of Dots-and-Boxes Game System*; the bound
//! of the cycle is theirs for 25 boxes, for other boards half of them, and cycles alone have no last chain to be taken whole.)

use super::{Lots, Player};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::chains::{Chain, Filed, Label, Network, Node, Policy};
use gamesat_core::rules::sequential::{Dots, Move, Sequential};

/// Whether a side wants an even number of long chains on a board with so many dots.
pub fn wants_even_chains(dots: usize, side: Side) -> bool {
    dots.is_multiple_of(2) == (side == Side::First)
}

/// Double-crosses that are to come when the rest of the game is so many chains and cycles: the last structure is taken whole.
pub fn double_crosses(chains: usize, cycles: usize) -> usize {
    if chains == 0 { 2 * cycles.saturating_sub(1) } else { chains - 1 + 2 * cycles }
}

/// Whether to leave four boxes of an opened cycle: the rival, who has so many, must stay below half of all boxes.
pub fn cycle_is_dealt(boxes: usize, rival: usize, chains: usize, cycles: usize) -> bool {
    rival + 2 * double_crosses(chains, cycles) <= boxes.saturating_sub(1) / 2
}

pub(super) struct DotsPhases(Lots);

impl DotsPhases {
    pub(super) fn new(seed: u64) -> Self {
        DotsPhases(Lots::new(seed))
    }

    fn one_of(&mut self, moves: &[Move]) -> Option<Move> {
        self.0.one_of(moves)
    }

    /// A safe move that leads towards the right number of long chains, if there is one.
    fn safe(&mut self, dots: &Dots, mut network: Network, policy: &Policy) -> Option<Move> {
        let safe: Vec<Move> = dots.moves().into_iter().filter(|&mv| policy.priority(mv.into()) == 0).collect();
        let all_dots = dots.grid().map_or(0, |(across, down)| (across + 1) * (down + 1));
        let even = wants_even_chains(all_dots, dots.turn());
        let chains = network.long_edges().iter().filter(|&&filed| filed == Filed::Chain).count();
        let mut right = |&mv: &Move| {
            let gained = network.long_chains_gained(mv.into());
            chains.saturating_add_signed(gained).is_multiple_of(2) == even
        };
        let wanted: Vec<Move> = safe.iter().copied().filter(|mv| right(mv)).collect();
        self.one_of(&wanted).or_else(|| self.one_of(&safe))
    }
}

/// Whether the opened chain is what is left of a cycle: both its ends are singletons.
fn is_cycle(network: &Network, chain: &Chain) -> bool {
    chain.coins.iter().filter(|&&coin| network.degree(coin) == 1).count() == 2
}

impl Player for DotsPhases {
    fn choose(&mut self, game: &Sequential, _: &Control) -> Result<Move, StopReason> {
        let Sequential::Dots(dots) = game else {
            return Err(StopReason::Unsupported("the phases are those of Dots-and-Boxes".to_owned()));
        };
        let (network, policy) = (Network::new(dots), Policy::new(dots));
        let moves = dots.moves();
        let of_priority = |wanted: &dyn Fn(i32) -> bool| -> Vec<Move> {
            moves.iter().copied().filter(|&mv| wanted(policy.priority(mv.into()))).collect()
        };
        let free = of_priority(&|priority| priority == 3);
        let has_safe = moves.iter().any(|&mv| policy.priority(mv.into()) == 0);
        let chains = network.chains();
        let open: Vec<&Chain> = chains.iter().filter(|chain| chain.label == Label::Open).collect();
        // While structures take shape everything that is offered is taken.
        if !free.is_empty() && (has_safe || open.is_empty()) {
            return Ok(self.one_of(&free).unwrap_or_default());
        }
        if let [chain] = open[..]
            && !has_safe
            && free.is_empty()
        {
            let rest: Vec<&Chain> =
                chains.iter().filter(|other| other.label != Label::Open && other.len() > 2).collect();
            let cycles = rest.iter().filter(|other| other.filed() == Filed::Loop).count();
            let cycle = is_cycle(&network, chain);
            let rival = (0..dots.coins()).filter(|&coin| dots.owner(coin) == Some(!dots.turn())).count();
            let dealt = match cycle {
                false => !rest.is_empty(),
                true => !rest.is_empty() && cycle_is_dealt(dots.coins(), rival, rest.len() - cycles, cycles + 1),
            };
            if dealt && chain.len() == if cycle { 4 } else { 2 } {
                // The string that leaves pairs: between the two inner boxes, or at the far end.
                let leaves = |&mv: &Move| match network.pair(mv.into()) {
                    (Node::Binode(one), Node::Binode(two)) => {
                        cycle && chain.coins.contains(&one) && chain.coins.contains(&two)
                    }
                    (Node::Wall, Node::Binode(coin)) | (Node::Binode(coin), Node::Multinode(_)) => {
                        !cycle && chain.coins.contains(&coin)
                    }
                    _ => false,
                };
                if let Some(mv) = moves.iter().copied().find(leaves) {
                    return Ok(mv);
                }
            }
        }
        let taking = of_priority(&|priority| priority == 1 || priority == 3);
        if let Some(mv) = self.one_of(&taking) {
            return Ok(mv);
        }
        if let Some(mv) = self.safe(dots, network, &policy) {
            return Ok(mv);
        }
        // What must be opened: the shortest, chains of two in the middle.
        let most = moves.iter().map(|&mv| policy.priority(mv.into())).max().unwrap_or(0);
        let least = of_priority(&|priority| priority == most);
        Ok(self.one_of(&least).unwrap_or_default())
    }
}
