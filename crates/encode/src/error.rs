//! Why a problem cannot be lowered.

use gamesat_core::control::StopReason;

/// Why a problem cannot be turned into a simpler one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// There are more winning sets than memory is meant for.
    #[error("the formula would have more than {0} literals")]
    TooLarge(usize),
    /// The position has too many pairs of neighbours once its stones are contracted.
    #[error("the graph is too dense: a vertex or a group of stones has too many neighbours")]
    TooDense,
    /// A quantified formula would not fit into memory.
    #[error("the quantified formula would be too large")]
    QbfTooLarge,
    /// There are more free elements than a winning set can be listed for.
    #[error("{0} free elements are too many to list winning sets")]
    TooManyElements(usize),
    /// A normal form has more rows than it may have.
    #[error("the normal form has more than {0} rows")]
    TooManyRows(usize),
    /// The game is a race, or ends before the board is full: only a quantified formula with its plies can say that.
    #[error("{0}: no set colouring game expresses that")]
    NotAGame(&'static str),
    /// A race needs the state of both sides at every ply.
    #[error("the lifted encoding is not for races")]
    NotLifted,
    /// There is no such encoding.
    #[error("{0}: there is no formula of that kind")]
    NoEncoding(&'static str),
    /// Nobody can get so many coins.
    #[error("the threshold is out of range: it is 1 to {0} here")]
    Threshold(usize),
    /// A limit was reached.
    #[error("stopped: {0}")]
    Stopped(StopReason),
}

impl From<StopReason> for EncodeError {
    fn from(reason: StopReason) -> Self {
        EncodeError::Stopped(reason)
    }
}
