//! What can come between a row and its being right.

use gamesat_core::control::StopReason;

/// Something is wrong, or the judge was told to stop.
#[derive(Debug)]
pub(super) enum Trouble {
    Wrong(String),
    Stopped(StopReason),
}

/// What is said of a row: nothing, or what is wrong.
pub(super) type Said = Result<(), Trouble>;

/// Something is wrong.
pub(super) fn wrong<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(what.into()))
}

impl From<&str> for Trouble {
    fn from(what: &str) -> Self {
        Trouble::Wrong(what.to_owned())
    }
}

impl From<StopReason> for Trouble {
    fn from(reason: StopReason) -> Self {
        Trouble::Stopped(reason)
    }
}
