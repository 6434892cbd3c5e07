//! Compressed input, recognised by its magic bytes and unpacked as it is read.

use lzma_rust2::XzReader;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fmt;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

/// Longest of the magic numbers.
const MAGIC: usize = 6;

/// Dictionaries of xz may take so many KiB: the largest that `xz -9` makes are 64 MiB.
const XZ_KIB: u32 = 1 << 18;

/// The source with its beginning looked at and put back.
type Peeked<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// Undoes the compression that the first bytes announce, streaming: gzip, xz, zstd, bzip2, or none.
///
/// # Errors
/// The source cannot be read.
pub fn decompress<R: Read + Send + 'static>(mut source: R) -> io::Result<Box<dyn Read>> {
    let mut magic = Vec::with_capacity(MAGIC);
    (&mut source).take(MAGIC as u64).read_to_end(&mut magic)?;
    let kind = magic.clone();
    let whole: Peeked<R> = BufReader::with_capacity(1 << 16, Cursor::new(magic).chain(source));
    Ok(match &kind[..] {
        [0x1f, 0x8b, ..] => Box::new(Named::new("gzip", flate2::bufread::MultiGzDecoder::new(whole))),
        [b'B', b'Z', b'h', ..] => Box::new(Named::new("bzip2", bzip2::bufread::MultiBzDecoder::new(whole))),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Box::new(Named::new("zstd", Zstd::new(whole)?)),
        [0xfd, b'7', b'z', b'X', b'Z', 0] => Box::new(Named::new("xz", XzReader::new_mem_limit(whole, true, XZ_KIB))),
        _ => Box::new(whole),
    })
}

/// Says which compression failed: decoders report a truncated file as a bare "unexpected end of file".
struct Named<R> {
    format: &'static str,
    inner: R,
}

impl<R> Named<R> {
    fn new(format: &'static str, inner: R) -> Self {
        Named { format, inner }
    }
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            io::ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), format!("truncated {} data: the file ends too early", self.format))
            }
            kind => io::Error::new(kind, format!("damaged {} data: {error}", self.format)),
        })
    }
}

/// A zstd stream of any number of frames.
struct Zstd<R: BufRead> {
    source: R,
    frame: FrameDecoder,
}

impl<R: BufRead> Zstd<R> {
    fn new(mut source: R) -> io::Result<Self> {
        let mut frame = FrameDecoder::new();
        frame.init(&mut source).map_err(|error| damage(&mut source, &error))?;
        Ok(Zstd { source, frame })
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.frame.can_collect() == 0 {
            let step = if !self.frame.is_finished() {
                self.frame.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)).map(|_| ())
            } else if self.source.fill_buf()?.is_empty() {
                return Ok(0);
            } else {
                self.frame.init(&mut self.source)
            };
            step.map_err(|error| damage(&mut self.source, &error))?;
        }
        self.frame.read(buffer)
    }
}

/// What a decoder's error means: if the source is at its end, it ended too early; decoders say so in many ways.
fn damage(source: &mut impl BufRead, error: &dyn fmt::Display) -> io::Error {
    match source.fill_buf() {
        Ok([]) => io::Error::from(io::ErrorKind::UnexpectedEof),
        Ok(_) => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
        Err(error) => error,
    }
}
