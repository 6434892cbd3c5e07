//! placeholder
use super::judge::Judge;
use crate::control::{Control, StopReason};
use crate::formula::{Lit, Player};
use crate::rules::Board;
pub(super) struct BoardLeaf<'a>(&'a Board);
impl<'a> BoardLeaf<'a> {
    pub(super) fn new(board: &'a Board, _: Player, _: Judge) -> Self {
        BoardLeaf(board)
    }
    pub(super) fn by(&mut self, _: &[Lit], _: &[Lit], _: &Control) -> Result<bool, StopReason> {
        let _ = self.0;
        Ok(false)
    }
}
