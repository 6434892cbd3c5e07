//! Boards whose plies count: games that end before the board is full, and races.
//!
//! Of such a board only a quantified formula can say who wins, and only about one claim at a time: *does this side win?*
//! A bounded game has one claim; a race has two, and if neither holds it is a draw. Each claim, and each move that is
//! tried, is lowered and solved on its own.

use super::ask::stop_reason;
use super::engine::{Engine, Offer};
use super::{Answer, Control, Options, StopReason, Verdict, Wanted};
use gamesat_core::formula::{Lit, Player, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::Board;
use gamesat_core::statistics::Statistics;
use gamesat_encode::{Lowered, lower};

/// Answers a question about the board.
pub(super) fn answer(
    board: &Board,
    engine: &'static dyn Engine,
    offer: Offer,
    options: &Options,
    wanted: &Wanted,
    control: &Control,
) -> Answer {
    let mut asker = Asker { engine, offer, options, control, statistics: Statistics::default() };
    let mut answer = match asker.outcome(board, true) {
        Ok((verdict, hint)) => {
            let mut answer = Answer::new(verdict);
            // Some moves may be missing: then the answer says why.
            answer.missing = asker.moves(board, verdict, hint, wanted.all_moves, &mut answer.moves).err();
            answer
        }
        Err(reason) => Answer::stopped(reason),
    };
    answer.statistics = asker.statistics;
    answer
}

struct Asker<'a> {
    engine: &'static dyn Engine,
    offer: Offer,
    options: &'a Options,
    control: &'a Control,
    statistics: Statistics,
}

impl Asker<'_> {
    /// The verdict, and a winning move if one was wanted and came with it.
    fn outcome(&mut self, board: &Board, hint: bool) -> Result<(Verdict, Option<usize>), StopReason> {
        if !board.is_race() {
            let (holds, hint) = self.claim(board, hint)?;
            return Ok((Verdict::from(holds), hint));
        }
        for (side, verdict) in [(board.max, Verdict::True), (!board.max, Verdict::False)] {
            let (max_wins, hint) = self.claim(&board.clone().claim(side), hint)?;
            if max_wins == (verdict == Verdict::True) {
                return Ok((verdict, hint));
            }
        }
        Ok((Verdict::Draw, None))
    }

    /// Whether MAX wins a board with one claim, and the mover's winning move if one was wanted and came with it.
    fn claim(&mut self, board: &Board, hint: bool) -> Result<(bool, Option<usize>), StopReason> {
        let problem = Problem::Board(board.clone());
        let lowered = self.lowered(&problem)?;
        let wanted = Wanted { outer_model: hint, ..Wanted::default() };
        let mut run = self.engine.begin(self.options);
        let answer = run.answer(&lowered.problem, &wanted, self.control);
        self.statistics.absorb(&answer.statistics);
        let Some(found) = answer.verdict.winner() else {
            return Err(answer.stop.unwrap_or(StopReason::Interrupted));
        };
        let max_wins = lowered.verdict(found == Player::Max);
        let mover_wins = (board.player(board.turn) == Player::Max) == max_wins;
        let values = answer.outer_model.filter(|_| mover_wins).unwrap_or_default();
        let hint = if values.is_empty() { None } else { lowered.first_move(board, &values) };
        Ok((max_wins, hint))
    }

    fn lowered(&self, problem: &Problem) -> Result<Lowered, StopReason> {
        let target = self.offer.through.unwrap_or_else(|| unreachable!("plies are only seen by formulas"));
        lower(problem, target, self.control).map_err(stop_reason)
    }

    /// The mover's best moves, one or all, if the mover does not lose: each is tried.
    fn moves(
        &mut self,
        board: &Board,
        verdict: Verdict,
        hint: Option<usize>,
        all: bool,
        moves: &mut Vec<Lit>,
    ) -> Result<(), StopReason> {
        let mover = board.player(board.turn);
        if board.plies().is_empty() || verdict.winner() == Some(!mover) {
            return Ok(());
        }
        let coloured = |element: usize| Var::from_index(element).lit(mover == Player::Max);
        if let (Some(element), false) = (hint, all) {
            moves.push(coloured(element));
            return Ok(());
        }
        for element in board.free() {
            let mut next = board.clone();
            if next.play(element).is_err() {
                continue;
            }
            if self.outcome(&next, false)?.0 == verdict {
                moves.push(coloured(element));
                if !all {
                    break;
                }
            }
        }
        Ok(())
    }
}
