//! Where formulas come from: a path, standard input or the command line, decompressed by magic bytes.

use super::args::InputArgs;
use super::exit::Failure;
use gamesat::format::{self, Format, Parsed, ReadOptions};
use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

/// Longest of the magic numbers.
const MAGIC: usize = 6;

/// What messages call the input.
pub fn name(args: &InputArgs) -> String {
    match (&args.expression, &args.file) {
        (Some(_), _) => "-e".to_owned(),
        (None, Some(path)) if path.as_os_str() != "-" => path.display().to_string(),
        (None, _) => "<stdin>".to_owned(),
    }
}

/// Reads the problem that the arguments name.
pub fn read(args: &InputArgs) -> Result<Parsed, Failure> {
    let options = ReadOptions { format: args.format, strict: args.strict };
    let name = name(args);
    if let Some(text) = &args.expression {
        let options = ReadOptions { format: Some(Format::Infix), ..options };
        return Ok(format::read(&mut text.as_bytes(), &name, &options)?);
    }
    match &args.file {
        Some(path) if path.as_os_str() != "-" => {
            let failed = |error: io::Error| Failure::input(format!("{name}: {error}"));
            let file = File::open(path).map_err(failed)?;
            if file.metadata().map_err(failed)?.is_dir() {
                return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            read_from(file, &name, &options)
        }
        _ => read_from(io::stdin(), &name, &options),
    }
}

fn read_from(source: impl Read + Send + 'static, name: &str, options: &ReadOptions) -> Result<Parsed, Failure> {
    let failed = |error: io::Error| Failure::input(format!("{name}: {error}"));
    let mut plain = decompress(source).map_err(failed)?;
    Ok(format::read(&mut plain, name, options)?)
}

/// The source with its beginning looked at and put back.
type Peeked<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// Undoes the compression that the first bytes announce, streaming.
fn decompress<R: Read + Send + 'static>(mut source: R) -> io::Result<Box<dyn Read>> {
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
    decoder: Option<ruzstd::decoding::StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>,
}

impl<R: BufRead> Zstd<R> {
    fn new(source: R) -> io::Result<Self> {
        Ok(Zstd { decoder: Some(Self::frame(source)?) })
    }

    fn frame(source: R) -> io::Result<ruzstd::decoding::StreamingDecoder<R, ruzstd::decoding::FrameDecoder>> {
        ruzstd::decoding::StreamingDecoder::new(source).map_err(|error| zstd_error(&error))
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer).map_err(|error| zstd_error(&error))?;
            if count > 0 {
                return Ok(count);
            }
            // This frame is over; another may follow.
            let mut source = self.decoder.take().map(|decoder| decoder.into_inner());
            if let Some(rest) = source.as_mut()
                && !rest.fill_buf()?.is_empty()
                && let Some(rest) = source
            {
                self.decoder = Some(Self::frame(rest)?);
            }
        }
        Ok(0)
    }
}

/// The decoder wraps the end of the source in errors of its own; find it again.
fn zstd_error(error: &(dyn Error + 'static)) -> io::Error {
    let mut cause = Some(error);
    while let Some(current) = cause {
        if let Some(io) = current.downcast_ref::<io::Error>() {
            if io.kind() == io::ErrorKind::UnexpectedEof {
                return io::Error::from(io::ErrorKind::UnexpectedEof);
            }
            // An error that `io::Error` wraps is its `get_ref`, not its `source`.
            cause = io.get_ref().map(|inner| inner as &(dyn Error + 'static));
            continue;
        }
        cause = current.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
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
            let _ = sender.send(Err(match error {
                lzma_rs::error::Error::IoError(error) => error,
                other => io::Error::new(io::ErrorKind::InvalidData, format!("{other:?}")),
            }));
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
