//! Narrow wins (*Set Colouring Games* 11.1): a player who wants to fill a row *threatens at level k* if, moving once more, the
//! player would win by threats of lower levels alone. Level 1 is a row with one element open. A win by threats of one level is
//! looked for before the full search, in isotone games only, because elsewhere a threat can be answered by having to move.
//!
//! To win at level k with the move: take an element after which, should the opponent pass, the win at level k-1 rests on a set P.
//! Every move of the opponent outside P is as good as passing, so only those in P are looked at, and after each of them it must
//! be won at level k again; what that win rests on narrows P further, by the argument behind mustplay. All sets together are a
//! trace.

use super::session::Answer;
use crate::control::{Control, Poller, StopReason};
use crate::formula::{ClauseArena, Game, Player, Rule, Var};
use crate::rows::mask::bits;
use crate::rows::normal;
use crate::statistics::Statistics;
use rustc_hash::FxHashMap;

/// Levels that are tried.
const LEVELS: u32 = 4;
/// Positions that may be looked at in all.
const NODES: u64 = 20_000;
/// Rows of a form at most.
const ROWS: usize = 20_000;

/// The answer, if one of the players has a narrow win.
///
/// # Errors
/// The reason to stop.
pub(super) fn narrow_win(game: &Game, control: &Control) -> Result<Option<Answer>, StopReason> {
    let (Some(cnf), Some(dnf)) = (normal::game_cnf(game, ROWS, control)?, normal::game_dnf(game, ROWS, control)?)
    else {
        return Ok(None);
    };
    let falls = |var: Var| cnf.lits().iter().any(|lit| lit.var() == var && lit.is_negative());
    if !normal::is_unate(&cnf) || game.rule == Rule::Own && cnf.lits().iter().any(|lit| lit.is_negative()) {
        return Ok(None);
    }
    let elements = cnf.vars();
    if elements.is_empty() || elements.len() > 64 {
        return Ok(None);
    }
    let masks = |rows: &ClauseArena| -> Vec<u64> {
        let bit = |var: Var| elements.binary_search(&var).map_or(0, |at| 1u64 << at);
        rows.iter().map(|row| row.iter().fold(0, |mask, lit| mask | bit(lit.var()))).collect()
    };
    // MAX fills terms, MIN clauses.
    let rows = [masks(&dnf), masks(&cnf)];
    let mut attacks =
        rows.each_ref().map(|rows| Attack { rows, known: FxHashMap::default(), nodes: 0, poller: control.poller() });
    for level in 1..=LEVELS {
        for attacker in [game.turn, !game.turn] {
            let attack = &mut attacks[usize::from(attacker == Player::Min)];
            let found = if attacker == game.turn {
                attack.wins(level, 0, 0)?
            } else {
                attack.wins_second(level)?.map(|trace| (trace, None))
            };
            let Some((trace, choice)) = found else { continue };
            let var = |at: usize| elements[at];
            let lit = |at: usize| var(at).lit((game.turn == Player::Max) != falls(var(at)));
            let moves: Vec<_> = choice.map(lit).into_iter().collect();
            let mut statistics = Statistics::default();
            statistics.add("nodes", attacks.iter().map(|attack| attack.nodes).sum());
            statistics.add("narrow_level", u64::from(level));
            return Ok(Some(Answer {
                winner: attacker,
                variation: moves.clone(),
                moves,
                omitted: 0,
                unlisted: None,
                trace: bits(trace).map(var).collect(),
                strategy: None,
                unshrunk: None,
                statistics,
            }));
        }
    }
    Ok(None)
}

/// What a win rests on, and its first move.
type Win = Option<(u64, Option<usize>)>;

/// A player who wants to fill a row.
struct Attack<'a> {
    rows: &'a [u64],
    known: FxHashMap<(u64, u64, u32), Win>,
    nodes: u64,
    poller: Poller<'a>,
}

impl Attack<'_> {
    /// Whether the attacker, to move, wins by threats up to a level, owning some elements, others being lost. As deep as
    /// there are elements, 64 at most, and levels.
    fn wins(&mut self, level: u32, own: u64, lost: u64) -> Result<Win, StopReason> {
        let open = |row: &&u64| **row & lost == 0;
        let needed = |row: &u64| (row & !own).count_ones();
        if let Some(&row) = self.rows.iter().filter(open).find(|row| needed(row) == 1) {
            let last = row & !own;
            return Ok(Some((last, Some(last.trailing_zeros() as usize))));
        }
        if level == 1 || self.nodes >= NODES {
            return Ok(None);
        }
        if let Some(&win) = self.known.get(&(own, lost, level)) {
            return Ok(win);
        }
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        // A threat of a level needs a row with no more elements open than that, and the move is in it.
        let near = self.rows.iter().filter(open).filter(|row| needed(row) <= level);
        let candidates = near.fold(0, |mask, row| mask | row & !own);
        let mut win = None;
        for element in bits(candidates) {
            let with = own | 1 << element;
            let Some((threat, _)) = self.wins(level - 1, with, lost)? else { continue };
            if let Some(trace) = self.survives(level, with, lost, threat)? {
                win = Some((trace | 1 << element, Some(element)));
                break;
            }
        }
        self.known.insert((own, lost, level), win);
        Ok(win)
    }

    /// Whether a win at a level follows every answer to a threat that rests on a set.
    fn survives(&mut self, level: u32, own: u64, lost: u64, threat: u64) -> Result<Option<u64>, StopReason> {
        let (mut answers, mut trace) = (threat, threat);
        while answers != 0 {
            let answer = answers & answers.wrapping_neg();
            let Some((after, _)) = self.wins(level, own, lost | answer)? else { return Ok(None) };
            trace |= after;
            answers &= after & !answer;
        }
        Ok(Some(trace))
    }

    /// The same with the opponent to move.
    fn wins_second(&mut self, level: u32) -> Result<Option<u64>, StopReason> {
        match self.wins(level, 0, 0)? {
            Some((threat, _)) => self.survives(level, 0, 0, threat),
            None => Ok(None),
        }
    }
}
