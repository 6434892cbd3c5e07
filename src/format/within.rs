//! Reading that can be stopped: limits and interrupts are looked at whenever more bytes are asked for.
//!
//! Every reader takes its text in chunks and keeps little more than what it has read, so between two looks the memory
//! grows by a few times a chunk, however much a small compressed file unpacks to. The stop travels through `io::Error`,
//! which any reader hands on, and comes out as [`ReadError::Stopped`](super::ReadError::Stopped).

use crate::control::{Control, StopReason};
use std::io::{self, Read};

/// The source, which fails as soon as there is a reason to stop. It belongs around the decompressed text.
pub(super) fn within<R: Read>(source: R, control: &Control) -> impl Read {
    Within { source, control }
}

struct Within<'a, R> {
    source: R,
    control: &'a Control,
}

impl<R: Read> Read for Within<'_, R> {
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
