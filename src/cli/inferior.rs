//! What a board shows while it is played on: cells that are dead, captured or dominated, found without search.

use gamesat::analyse::{Scope, Sign, analyse};
use gamesat::formula::Var;
use gamesat::play::Position;
use gamesat::solve::{Control, Interrupt, Limits, Options};
use std::time::Duration;

/// Elements that are dead, that are captured, and in which the player to move need not play because another move is as good.
pub fn inferior(position: &Position, time: Duration) -> [Vec<String>; 3] {
    let limits = Limits { time: Some(time), ..Limits::default() };
    let control = Control::new(limits, Interrupt::new());
    let scope = Scope { only_static: true, ..Scope::default() };
    let Ok(analysis) = analyse(&position.problem(), scope, &Options::default(), &control) else {
        return Default::default();
    };
    let plain = |var: Var| position.name(var.positive()).split('=').next().unwrap_or_default().to_owned();
    let dead =
        analysis.elements.iter().filter(|element| element.sign == Sign::Dead).map(|element| plain(element.element));
    let captured = analysis.fills.iter().flat_map(|fill| &fill.literals).map(|lit| plain(lit.var()));
    let mine = analysis.dominated.iter().filter(|dominated| dominated.player == analysis.turn);
    [dead.collect(), captured.collect(), mine.map(|dominated| plain(dominated.element)).collect()]
}
