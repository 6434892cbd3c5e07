//! A certificate's [advice](gamesat_core::formula::Advice), followed step by step.
//!
//! Functions that come from an engine by way of many simplifications are right for reasons that each take a line: some rule of the
//! engine always applies; each rule satisfies the clauses that the engine knew; and each simplification, undone, satisfies one more
//! clause and breaks none. Whoever has only the functions has to find all of that again for every clause. The certificate names the
//! clauses on this way, in the signals that they had there. What is shown of them, claims by [cases] and lemmas by propagation, is
//! known to [propagation](super::propagation) from then on; what is not is forgotten. Nothing is believed.

use super::super::judge::Judge;
use super::cases::{self, Manner};
use super::cover;
use super::encoded::Unsettled;
use super::network::Network;
use super::propagation::Propagation;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Advice, Lit, Var};

/// Steps of propagation for a lemma, more for each of its signals, and for a claim before cases are looked at.
const LEMMA_STEPS: usize = 20_000;
const LITERAL_STEPS: usize = 200;
const CLAIM_STEPS: usize = 2_000;
/// Steps for all claims together.
const CASE_STEPS: usize = 1_000_000_000;

/// What became of the advice.
#[derive(Default)]
pub(super) struct Followed {
    /// Claims and lemmas that were shown, and others.
    pub(super) shown: usize,
    pub(super) dropped: usize,
    /// Lists of cases that are all there are.
    pub(super) covers: usize,
}

/// Shows what it can of the advice, and teaches that to the propagation.
///
/// # Errors
/// The reason to stop.
pub(super) fn follow(
    network: &Network,
    propagation: &mut Propagation<'_>,
    judge: Judge,
    poller: &mut Poller<'_>,
    control: &Control,
) -> Result<Followed, StopReason> {
    let mut guide = Guide {
        network,
        propagation,
        judge,
        control,
        claims: Vec::new(),
        steps: CASE_STEPS,
        followed: Followed::default(),
    };
    let mut named: &[Lit] = &[];
    for advice in network.advice() {
        poller.poll(guide.followed.shown as u64)?;
        let mut signals = advice.signals().to_vec();
        match advice {
            Advice::Cases(cases) => {
                guide.settle(named, poller)?;
                named = cases;
            }
            _ if Network::simplify(&mut signals).is_none() => {}
            Advice::Claim(_) => guide.claim(signals),
            Advice::Lemma(_) => {
                guide.settle(named, poller)?;
                guide.lemma(&signals);
            }
        }
    }
    guide.settle(named, poller)?;
    Ok(guide.followed)
}

struct Guide<'s, 'a> {
    network: &'s Network,
    propagation: &'s mut Propagation<'a>,
    judge: Judge,
    control: &'s Control,
    /// Claims that are to be shown by the cases named last.
    claims: Vec<Unsettled>,
    steps: usize,
    followed: Followed,
}

impl Guide<'_, '_> {
    fn lemma(&mut self, signals: &[Lit]) {
        if !self.follows(signals, LEMMA_STEPS + LITERAL_STEPS * signals.len()) {
            self.followed.dropped += 1;
        }
    }

    fn claim(&mut self, signals: Vec<Lit>) {
        if !self.follows(&signals, CLAIM_STEPS) {
            self.claims.push((signals.last().copied().unwrap_or(Var::FIRST.positive()), signals));
        }
    }

    /// Whether propagation shows a clause; if so it is learned.
    fn follows(&mut self, signals: &[Lit], mut steps: usize) -> bool {
        self.propagation.look_no_further(Some(&mut signals.iter().copied()));
        let is_shown = self.propagation.refutes(signals, &mut steps);
        self.propagation.look_no_further(None);
        if is_shown {
            self.learn(signals);
        }
        is_shown
    }

    fn learn(&mut self, signals: &[Lit]) {
        self.propagation.learn(signals);
        self.followed.shown += 1;
    }

    /// Shows claims by cases.
    fn settle(&mut self, named: &[Lit], poller: &mut Poller<'_>) -> Result<(), StopReason> {
        let claims = std::mem::take(&mut self.claims);
        let Some(&last) = named.last().filter(|_| !claims.is_empty()) else {
            self.followed.dropped += claims.len();
            return Ok(());
        };
        self.propagation.look_no_further(Some(&mut claims.iter().flat_map(|(_, claim)| claim).chain(named).copied()));
        let mut left = None;
        for manner in [Manner::Quick, Manner::Beside, Manner::Thorough] {
            if left.is_none() {
                left = cases::split(self.propagation, named, &claims, manner, &mut self.steps, poller)?;
            }
        }
        self.propagation.look_no_further(None);
        let Some(left) = left else {
            self.followed.dropped += claims.len();
            return Ok(());
        };
        let mut is_shown = vec![true; claims.len()];
        left.open.iter().for_each(|&(claim, _)| is_shown[claim] = false);
        if left.beyond.iter().any(|&claim| is_shown[claim]) {
            if cover::is_valid(self.network, self.judge, last, poller, self.control)? {
                self.followed.covers += 1;
                self.propagation.learn(&[last]);
            } else {
                left.beyond.iter().for_each(|&claim| is_shown[claim] = false);
            }
        }
        for ((_, claim), is_shown) in claims.iter().zip(is_shown) {
            if is_shown {
                self.learn(claim);
            } else {
                self.followed.dropped += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::random::{advised, holds_always, random_network};
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random networks with random advice, most of it wrong: whatever is learned from it always holds, and some of what always holds is
    /// learned.
    #[test]
    fn only_what_holds_is_learned() {
        let Ok(judge) = Judge::usual() else { return };
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let [mut learned, mut dropped] = [0; 2];
        for round in 0..4_000 {
            let (network, open, vars) = random_network(&mut rng);
            let holds = holds_always(&network, open);
            let mut pick = |most: usize| -> Vec<Lit> {
                let signal = |rng: &mut ChaCha8Rng| network.signal(rng.random_range(0..vars), rng.random());
                (0..rng.random_range(1..=most)).map(|_| signal(&mut rng)).collect()
            };
            // Signals that always hold, though that is not always easy to see.
            let nodes = network.first_gate()..network.num_nodes();
            let signals = nodes.flat_map(|node| [true, false].map(|sign| Var::from_index(node).lit(sign)));
            let valid: Vec<Lit> = signals.filter(|&signal| holds(&[signal])).collect();
            let mut advice = Vec::new();
            for _ in 0..2 {
                // That one of the cases holds is seen in each of them, and beyond only if there is nothing beyond.
                let mut cases = pick(5);
                cases.extend(valid.last());
                advice.extend([Advice::Cases(cases.clone()), Advice::Claim(cases)]);
                advice.extend([pick(4), pick(4)].map(Advice::Claim));
                advice.extend([pick(4), pick(4)].map(Advice::Lemma));
            }
            let network = advised(network, advice);
            let mut propagation = Propagation::new(&network);
            let followed = follow(&network, &mut propagation, judge, &mut control.poller(), &control).unwrap();
            assert!(propagation.lemmas().all(&holds), "round {round}");
            // With what it was taught propagation shows no more than what holds.
            for clause in network.advice().iter().map(Advice::signals) {
                let shown = propagation.refutes(clause, &mut (1 << 20));
                assert!(holds(clause) || !shown, "round {round}");
            }
            learned += followed.shown;
            dropped += followed.dropped;
        }
        assert!(learned > 1_000 && dropped > 1_000, "{learned} {dropped}");
    }
}
