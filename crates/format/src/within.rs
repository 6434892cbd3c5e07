//! Reading that can be stopped: limits and interrupts are looked at whenever more bytes are asked for.
//!
//! Every reader takes its text in chunks and keeps little more than what it has read, so between two looks the memory
//! grows by a few times a chunk, however much a small compressed file unpacks to. The stop travels through `io::Error`,
//! which any reader hands on, and comes out as [`ReadError::Stopped`](super::ReadError::Stopped).

use gamesat_core::control::{Control, StopReason};
use std::io::{self, Read};

/// The source, which fails as soon as there is a reason to stop. To be put around the decompressed text:
///
/// ```
/// use gamesat_core::control::{Control, Interrupt, Limits, StopReason};
/// use gamesat_format::{ReadError, ReadOptions, read, within};
///
/// let interrupt = Interrupt::new();
/// let control = Control::new(Limits::default(), interrupt.clone());
/// interrupt.trigger();
/// let stopped = read(&mut within(&b"a | b"[..], &control), "text", &ReadOptions::default());
/// assert!(matches!(stopped, Err(ReadError::Stopped(StopReason::Interrupted))));
/// ```
pub fn within<R: Read>(source: R, control: &Control) -> impl Read {
    Within { source, control: control.clone() }
}

struct Within<R> {
    source: R,
    control: Control,
}

impl<R: Read> Read for Within<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.control.stop_reason(0) {
            None => self.source.read(buffer),
            Some(reason) => Err(io::Error::other(Stopped(reason))),
        }
    }
}

/// A reason to stop on its way through `io::Error`.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Stopped(StopReason);

/// Why reading stopped, if the error says so.
pub(super) fn stop_reason(error: &io::Error) -> Option<&StopReason> {
    error.get_ref()?.downcast_ref::<Stopped>().map(|Stopped(reason)| reason)
}
