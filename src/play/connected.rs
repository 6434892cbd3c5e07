//! A good move on a board where two terminals are joined: a narrow alpha-beta search, deepened as long as there is time, on what
//! the graph engine sees of a position at one look.
//!
//! The look builds the virtual connections of both sides: whoever has the decisive one has won; if nobody has, the resistances
//! of two networks say how things stand, in which every connection is a wire (Anshelevich 2002, whose program searched like
//! this, too). Moves outside the mustplay and dominated ones are not tried.

use crate::solve::vertex_session;
use gamesat_core::rules::Board;
use gamesat_games::graph::{Session, Stand};
use gamesat_games::options::GraphOptions;

/// Moves looked at on the first level, and on the others.
const WIDTHS: [usize; 2] = [16, 8];
/// The deepest search.
const DEEPEST: usize = 8;
/// What a decided position is worth.
const DECIDED: f64 = 1e6;

/// The best cell that is found before it is due. `None` where the graph engine does not know the board, or sees that every
/// move loses.
pub(super) fn search(board: &Board, due: &dyn Fn() -> bool) -> Option<usize> {
    let mut session = session(board)?;
    let (stand, cells) = session.appraise();
    if stand == Stand::Lost || cells.is_empty() {
        return None;
    }
    // The best of the last round is tried first in the next.
    let mut ranked: Vec<(f64, usize)> = cells.into_iter().take(WIDTHS[0]).map(|cell| (0.0, cell)).collect();
    for depth in 0..DEEPEST {
        let mut alpha = -f64::INFINITY;
        let mut round = Vec::with_capacity(ranked.len());
        for &(_, cell) in &ranked {
            if !session.play(cell) {
                continue;
            }
            let value = value(&mut session, depth, [-f64::INFINITY, -alpha], due);
            session.undo();
            let Some(value) = value else { break };
            alpha = alpha.max(-value);
            round.push((-value, cell));
        }
        let complete = round.len() == ranked.len();
        round.sort_by(|a, b| b.0.total_cmp(&a.0));
        // What was better than the favourite of the last round, which was tried first, is better.
        if let Some(&(best, cell)) = round.first() {
            if best <= -DECIDED && !complete {
                break;
            }
            if complete {
                ranked = round;
            } else {
                ranked[0] = (best, cell);
            }
        }
        if !complete || ranked[0].0.abs() >= DECIDED || ranked.len() == 1 {
            break;
        }
    }
    (ranked[0].0 > -DECIDED).then_some(ranked[0].1)
}

/// The board as the graph engine sees it, if it knows the board.
fn session(board: &Board) -> Option<Session> {
    let mut options = GraphOptions::default();
    // Looks need no table.
    options.graph_table = 1;
    vertex_session(board, &options)?.ok()
}

/// How the player to move stands, so many plies ahead; `None` when the time is over.
fn value(session: &mut Session, depth: usize, [mut alpha, beta]: [f64; 2], due: &dyn Fn() -> bool) -> Option<f64> {
    if due() {
        return None;
    }
    let (stand, cells) = session.appraise();
    match stand {
        Stand::Won => return Some(DECIDED + depth as f64),
        Stand::Lost => return Some(-DECIDED - depth as f64),
        Stand::Open(value) if depth == 0 || cells.is_empty() => {
            return Some(value.clamp(-DECIDED / 2.0, DECIDED / 2.0));
        }
        Stand::Open(_) => {}
    }
    let mut best = -f64::INFINITY;
    for cell in cells.into_iter().take(WIDTHS[1]) {
        if !session.play(cell) {
            continue;
        }
        let reply = value(session, depth - 1, [-beta, -alpha], due);
        session.undo();
        best = best.max(-reply?);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    Some(best)
}
