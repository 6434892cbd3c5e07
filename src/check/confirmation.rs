//! Confirmations, judged row by row: nothing is searched for.

use crate::control::{Control, StopReason};
use crate::formula::{Confirmation, Qbf};
use std::fmt;

/// Why a confirmation does not show anything about a formula: the row, from 0, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationFlaw {
    /// The row, from 0; `None` if there is no row too many or too few.
    pub row: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for ConfirmationFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row {
            Some(row) => write!(f, "row {}: {}", row + 1, self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Checks that a confirmation shows a formula to be true.
///
/// # Errors
/// The reason to stop before it was known.
pub fn check_confirmation(
    _qbf: &Qbf,
    _confirmation: &Confirmation,
    _control: &Control,
) -> Result<Result<(), ConfirmationFlaw>, StopReason> {
    Ok(Err(ConfirmationFlaw { row: None, what: "not judged yet".to_owned() }))
}
