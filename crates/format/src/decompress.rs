//! Compressed input, recognised by its magic bytes and unpacked as it is read.

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fmt;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

/// Longest of the magic numbers.
const MAGIC: usize = 6;

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
        [0xfd, b'7', b'z', b'X', b'Z', 0] => Box::new(Named::new("xz", xz(whole))),
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

/// The xz decoder pushes into a writer; a thread and a bounded pipe turn that into a reader, so that a small file that
/// unpacks to gigabytes is never held as a whole.
fn xz(mut source: impl BufRead + Send + 'static) -> impl Read {
    let (sender, receiver) = std::sync::mpsc::sync_channel::<io::Result<Vec<u8>>>(4);
    std::thread::spawn(move || {
        let mut pipe = Pipe { sender: sender.clone(), buffer: Vec::with_capacity(Pipe::CHUNK) };
        let end = lzma_rs::xz_decompress(&mut source, &mut pipe);
        let _ = pipe.send();
        if let Err(error) = end {
            let _ = sender.send(Err(damage(&mut source, &error)));
        }
    });
    Unpiped { receiver, chunk: Cursor::new(Vec::new()) }
}

struct Pipe {
    sender: std::sync::mpsc::SyncSender<io::Result<Vec<u8>>>,
    buffer: Vec<u8>,
}

impl Pipe {
    const CHUNK: usize = 1 << 16;

    fn send(&mut self) -> io::Result<()> {
        let chunk = std::mem::replace(&mut self.buffer, Vec::with_capacity(Self::CHUNK));
        self.sender.send(Ok(chunk)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

impl io::Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(Self::CHUNK - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        if self.buffer.len() == Self::CHUNK {
            self.send()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Unpiped {
    receiver: std::sync::mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
}

impl Read for Unpiped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.chunk.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.receiver.recv() {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(_) => return Ok(0),
            }
        }
    }
}
