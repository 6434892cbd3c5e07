//! What a board shows while it is played on: cells that are dead, captured or dominated, found without search, and why.

use super::speech::speech;
use gamesat::Problem;
use gamesat::analyse::{Analysis, Scope, Sign, analyse, reasons as words};
use gamesat::formula::Var;
use gamesat::play::Position;
use gamesat::solve::{Control, Interrupt, Limits, Options};
use std::time::Duration;

/// What is known without search.
pub fn look(position: &Position, time: Duration) -> Option<Analysis> {
    let limits = Limits { time: Some(time), ..Limits::default() };
    let control = Control::new(limits, Interrupt::new());
    let scope = Scope { only_static: true, ..Scope::default() };
    analyse(&position.problem(), scope, &Options::default(), &control).ok()
}

/// Elements that are dead, that are captured, and in which the player to move need not play because another move is as good.
pub fn inferior(position: &Position, time: Duration) -> [Vec<String>; 3] {
    let Some(analysis) = look(position, time) else { return Default::default() };
    let plain = |var: Var| position.name(var.positive()).split('=').next().unwrap_or_default().to_owned();
    let dead =
        analysis.elements.iter().filter(|element| element.sign == Sign::Dead).map(|element| plain(element.element));
    let captured = analysis.fills.iter().flat_map(|fill| &fill.literals).map(|lit| plain(lit.var()));
    let mine = analysis.dominated.iter().filter(|dominated| dominated.player == analysis.turn);
    [dead.collect(), captured.collect(), mine.map(|dominated| plain(dominated.element)).collect()]
}

/// Why an element is dead, captured, dominated or locally losing, in words; nothing if it is not, or there is no time to tell.
pub fn reasons(position: &Position, element: Var, time: Duration) -> Vec<String> {
    let problem = position.problem();
    let board = match &problem {
        Problem::Board(board) => Some(board),
        Problem::Game(_) => None,
        _ => return Vec::new(),
    };
    let names = problem.names();
    look(position, time).map_or(Vec::new(), |analysis| words(&analysis, element, &speech(&names, board)))
}
