//! What need not be played: dead elements, captured sets filled in round by round, dominated and locally losing moves, each
//! with its reason.
//!
//! Conditions (*Set Colouring Games* ch. 8), P to move, Q the opponent:
//! - a captured set may be filled with the captor's colouring (and a dead element added if its number is odd): always in an
//!   isotone game, otherwise if the captor makes the last move of the game;
//! - a move that wins the local game on S for P, moving first, S padded to odd, is as good as every move in S: isotone, or P
//!   makes the last move;
//! - a move of P in S after which Q wins the local game, S padded to even, may be dropped as long as another stays in S that
//!   is not so: isotone, or Q makes the last move.

use super::local::{Local, LocalResult, punctuated};
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{ClauseArena, Game, Lit, Player, Rule, Var};
use gamesat_rows::normal;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Rows of one form beyond which sets are not looked at.
const ROWS: usize = 20_000;
/// Larger sets are grown from rows of at most this length,
const LENGTH: usize = 6;
/// and at most this many of them.
const SETS: usize = 4000;

/// The prime clauses and terms of a position, as far as they are affordable.
#[derive(Clone, Debug)]
pub(super) struct Forms {
    pub(super) cnf: Option<ClauseArena>,
    pub(super) dnf: Option<ClauseArena>,
    rule: Rule,
}

/// How a formula depends on an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It never falls when the element becomes TRUE.
    Rising,
    /// It never rises.
    Falling,
    /// It does both, depending on the others.
    Both,
    /// It does not depend on it.
    Dead,
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Sign::Rising => "rising",
            Sign::Falling => "falling",
            Sign::Both => "both",
            Sign::Dead => "dead",
        })
    }
}

/// A set that was filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Who has captured it.
    pub captor: Player,
    /// The colours it was given.
    pub literals: Vec<Lit>,
    /// In which round, from 1.
    pub round: usize,
    /// What the captor sees to by answering in the set: every row gets a true literal.
    pub rows: Vec<Vec<Lit>>,
}

/// Moves in an element that need not be tried because another move in a set is as good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominated {
    /// The element.
    pub element: Var,
    /// Whose moves.
    pub player: Player,
    /// The dominating moves.
    pub by: Vec<Lit>,
    /// The set.
    pub set: Vec<Var>,
}

/// A move that loses the local game on a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Losing {
    /// The move.
    pub choice: Lit,
    /// Whose move.
    pub player: Player,
    /// The set.
    pub set: Vec<Var>,
    /// What is played instead of it.
    pub instead: Vec<Lit>,
}

impl Forms {
    /// The forms of a position.
    pub(super) fn new(game: &Game, control: &Control) -> Result<Self, StopReason> {
        Ok(Forms {
            cnf: normal::game_cnf(game, ROWS, control)?,
            dnf: normal::game_dnf(game, ROWS, control)?,
            rule: game.rule,
        })
    }

    /// These rows, which need not be prime: less is seen then, and nothing wrong.
    pub(super) fn from_rows(cnf: Option<ClauseArena>, dnf: Option<ClauseArena>, rule: Rule) -> Self {
        Forms { cnf, dnf, rule }
    }

    /// Whether any form is there.
    pub(super) fn is_known(&self) -> bool {
        self.cnf.is_some() || self.dnf.is_some()
    }

    /// The value, if it is decided.
    pub(super) fn decided(&self) -> Option<bool> {
        let constant = |rows: &ClauseArena, empty: bool| {
            if rows.is_empty() { Some(empty) } else { rows.iter().any(<[Lit]>::is_empty).then_some(!empty) }
        };
        self.cnf
            .as_ref()
            .and_then(|rows| constant(rows, true))
            .or(self.dnf.as_ref().and_then(|rows| constant(rows, false)))
    }

    /// How the formula depends on each element that occurs.
    pub(super) fn signs(&self) -> FxHashMap<Var, Sign> {
        let mut seen: FxHashMap<Var, [bool; 2]> = FxHashMap::default();
        for lit in self.cnf.iter().chain(&self.dnf).flat_map(|rows| rows.lits()) {
            seen.entry(lit.var()).or_default()[usize::from(lit.is_positive())] = true;
        }
        let sign = |[negative, positive]: [bool; 2]| match (positive, negative) {
            (true, false) => Sign::Rising,
            (false, _) => Sign::Falling,
            (true, true) => Sign::Both,
        };
        seen.into_iter().map(|(var, signs)| (var, sign(signs))).collect()
    }

    /// Whether everything that holds for isotone games holds.
    pub(super) fn is_isotone(&self) -> bool {
        self.signs().values().all(|sign| match self.rule {
            Rule::Any => *sign != Sign::Both,
            Rule::Own => *sign == Sign::Rising,
        })
    }

    /// The forms with colours filled in.
    pub(super) fn filled(&self, lits: &[Lit], control: &Control) -> Result<Self, StopReason> {
        let against: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        let fill = |rows: &Option<ClauseArena>, lits: &[Lit]| {
            // Prime rows stay prime once absorbed ones are gone.
            rows.as_ref().map(|rows| normal::irredundant(&normal::condition(rows, lits), control)).transpose()
        };
        Ok(Forms { cnf: fill(&self.cnf, lits)?, dnf: fill(&self.dnf, &against)?, rule: self.rule })
    }

    /// The local game on a set.
    pub(super) fn local(&self, set: &[Var]) -> Local {
        let cut = |rows: &Option<ClauseArena>| rows.as_ref().map(|rows| punctuated(rows, set));
        Local::new(set, self.rule, cut(&self.cnf).as_ref(), cut(&self.dnf).as_ref())
    }

    /// Pairs of elements that share a row, and larger sets grown from short rows, up to a size.
    fn sets(&self, size: usize, poller: &mut Poller<'_>) -> Result<Vec<Vec<Var>>, StopReason> {
        let mut pairs: FxHashSet<(Var, Var)> = FxHashSet::default();
        let mut larger: FxHashSet<Vec<Var>> = FxHashSet::default();
        for rows in self.cnf.iter().chain(&self.dnf) {
            for row in rows {
                poller.poll(0)?;
                let mut vars: Vec<Var> = row.iter().map(|lit| lit.var()).collect();
                vars.sort_unstable();
                for (at, &one) in vars.iter().enumerate() {
                    pairs.extend(vars[at + 1..].iter().map(|&other| (one, other)));
                }
                if vars.len() <= LENGTH && larger.len() < SETS {
                    for bits in (0..1usize << vars.len()).filter(|bits| (3..=size as u32).contains(&bits.count_ones()))
                    {
                        larger.insert((0..vars.len()).filter(|at| bits >> at & 1 != 0).map(|at| vars[at]).collect());
                    }
                }
            }
        }
        // Two pairs with a common element make a set that no single row need hold.
        if size > 2 {
            let mut sorted: Vec<(Var, Var)> = pairs.iter().copied().collect();
            sorted.sort_unstable();
            for (at, &(a, b)) in sorted.iter().enumerate() {
                poller.poll(0)?;
                for &(c, d) in &sorted[at + 1..] {
                    let mut set = vec![a, b, c, d];
                    set.sort_unstable();
                    set.dedup();
                    if set.len() == 3 && larger.len() < SETS {
                        larger.insert(set);
                    }
                }
            }
        }
        let mut all: Vec<Vec<Var>> = pairs.into_iter().map(|(a, b)| vec![a, b]).chain(larger).collect();
        all.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        Ok(all)
    }
}

/// What filling gave.
pub(super) struct Filled {
    /// The sets, in the order in which they were filled.
    pub(super) fills: Vec<Fill>,
    /// Rounds until nothing more was found.
    pub(super) rounds: usize,
    /// What is left.
    pub(super) forms: Forms,
}

/// Fills captured sets of at most so many elements, round by round. `uncoloured` is how many elements are left, stars
/// included.
pub(super) fn fill(
    forms: &Forms,
    size: usize,
    turn: Player,
    uncoloured: usize,
    control: &Control,
) -> Result<Filled, StopReason> {
    let mut filled = Filled { fills: Vec::new(), rounds: 0, forms: forms.clone() };
    let mut poller = control.poller();
    let last = if uncoloured % 2 == 1 { turn } else { !turn };
    loop {
        if filled.forms.decided().is_some() {
            return Ok(filled);
        }
        let (isotone, signs) = (filled.forms.is_isotone(), filled.forms.signs());
        let mut taken: FxHashSet<Var> = FxHashSet::default();
        let mut literals: Vec<Lit> = Vec::new();
        for set in filled.forms.sets(size, &mut poller)? {
            poller.poll(0)?;
            if set.iter().any(|var| taken.contains(var)) {
                continue;
            }
            let local = filled.forms.local(&set);
            for captor in [Player::Max, Player::Min] {
                // Without isotony one set at a time: filling an odd one moves nothing, but the next has to be asked anew.
                if !(isotone || captor == last && literals.is_empty()) || !local.is_captured(captor) {
                    continue;
                }
                // Of several the one with the captor's rational colours.
                let rational = |lit: &&Lit| match signs.get(&lit.var()) {
                    Some(Sign::Falling) => lit.is_positive() != captor.colour(),
                    _ => lit.is_positive() == captor.colour(),
                };
                let colourings = local.optimal(captor).map(|colouring| local.literals(colouring));
                let best = colourings.max_by_key(|lits| lits.iter().filter(rational).count());
                let Some(lits) = best else { continue };
                taken.extend(set.iter().copied());
                literals.extend_from_slice(&lits);
                let rows = local.promised(captor);
                filled.fills.push(Fill { captor, literals: lits, round: filled.rounds + 1, rows });
                break;
            }
        }
        if literals.is_empty() {
            return Ok(filled);
        }
        filled.rounds += 1;
        filled.forms = filled.forms.filled(&literals, control)?;
    }
}

/// Dominated and locally losing moves of both players, each as if that player were to move. Of elements that dominate each
/// other one stays: a move is dropped only in favour of one that is not dropped yet, and so reasons end at a move that is
/// there. What is dropped as locally losing in a game that is not isotone has its companion kept for good, because being no
/// loss is not the same as being as good.
pub(super) fn inferior(
    forms: &Forms,
    size: usize,
    uncoloured: usize,
    control: &Control,
) -> Result<(Vec<Dominated>, Vec<Losing>), StopReason> {
    let (mut dominated, mut losing): (Vec<Dominated>, Vec<Losing>) = (Vec::new(), Vec::new());
    let mut poller = control.poller();
    let (isotone, signs) = (forms.is_isotone(), forms.signs());
    let mut dropped: FxHashSet<(Player, Lit)> = FxHashSet::default();
    let mut kept: FxHashSet<(Player, Lit)> = FxHashSet::default();
    for set in forms.sets(size, &mut poller)? {
        poller.poll(0)?;
        let local = forms.local(&set);
        if local.is_dead() {
            continue;
        }
        for player in [Player::Max, Player::Min] {
            let own = LocalResult::of(player);
            // Of a monotone element only the rational colour is worth a word.
            let rational = |lit: Lit| match signs.get(&lit.var()) {
                Some(Sign::Rising) => lit.is_positive() == player.colour(),
                Some(Sign::Falling) => lit.is_positive() != player.colour() || forms.rule == Rule::Own,
                _ => true,
            };
            // 1. A move that is as good as every move in the set: P is the last mover if the number is odd.
            if isotone || uncoloured % 2 == 1 {
                let (_, moves) = local.play(player, true);
                let moves: Vec<_> = moves.into_iter().filter(|&(lit, _)| rational(lit)).collect();
                let winning = moves.iter().filter(|&&(_, after)| after == own).map(|&(lit, _)| lit);
                let by: Vec<Lit> = winning.filter(|&lit| !dropped.contains(&(player, lit))).collect();
                for &element in set.iter().filter(|_| !by.is_empty()) {
                    let all: Vec<Lit> = moves.iter().map(|&(lit, _)| lit).filter(|lit| lit.var() == element).collect();
                    let mut others = by.iter().filter(|lit| lit.var() != element);
                    let fresh = all.iter().any(|&lit| !dropped.contains(&(player, lit)));
                    let still = others.any(|&lit| !dropped.contains(&(player, lit)));
                    if fresh && still && !all.iter().any(|lit| by.contains(lit)) {
                        dropped.extend(all.iter().map(|&lit| (player, lit)));
                        dominated.push(Dominated { element, player, by: by.clone(), set: set.clone() });
                    }
                }
            }
            // 2. A move after which the opponent wins: Q is the last mover if the number is even.
            if isotone || uncoloured.is_multiple_of(2) {
                let (_, moves) = local.play(player, false);
                let lost = LocalResult::of(!player);
                let moves: Vec<_> = moves.into_iter().filter(|&(lit, _)| rational(lit)).collect();
                let good = moves.iter().filter(|&&(_, after)| after != lost).map(|&(lit, _)| lit);
                let instead: Vec<Lit> = good.filter(|&lit| !dropped.contains(&(player, lit))).collect();
                for &(choice, after) in moves.iter().filter(|_| !instead.is_empty()) {
                    let fresh = !kept.contains(&(player, choice)) && !dropped.contains(&(player, choice));
                    if after == lost && fresh {
                        dropped.insert((player, choice));
                        if !isotone {
                            kept.insert((player, instead[0]));
                        }
                        losing.push(Losing { choice, player, set: set.clone(), instead: instead.clone() });
                    }
                }
            }
        }
    }
    Ok((dominated, losing))
}
