//! The only code that writes to standard output or to files, and how diagnostics look on standard error.

use super::exit::Failure;
use annotate_snippets::renderer::Renderer;
use annotate_snippets::{AnnotationKind, Level, Snippet};
use gamesat::Problem;
use gamesat::format::{self, Format, Parsed, ReadError, SyntaxError};
use gamesat::formula::Names;
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where something goes: standard output, or a file that was opened before any work was done for it.
pub struct Sink {
    to: To,
    name: String,
    finished: Arc<AtomicBool>,
    /// The text so far, if it is to become a field of an object: an error must find nothing written.
    text: Option<Vec<u8>>,
}

enum To {
    Stdout(BufWriter<io::Stdout>),
    File(BufWriter<File>, PathBuf),
}

/// Removes a file, when it goes out of scope, into which nothing was [finished](Sink::finish), so that neither a stale nor
/// a broken one is left behind.
pub struct Guard {
    path: Option<PathBuf>,
    finished: Arc<AtomicBool>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(path) = self.path.as_deref().filter(|_| !self.finished.load(Ordering::Acquire))
            && fs::symlink_metadata(path).is_ok_and(|data| data.is_file())
        {
            let _ = fs::remove_file(path);
        }
    }
}

impl Sink {
    /// Opens a path for writing; nothing or `-` is standard output.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let path = match path {
            Some(path) if path.as_os_str() != "-" => path,
            _ => {
                let to = To::Stdout(BufWriter::new(io::stdout()));
                return Ok(Sink { to, name: "standard output".to_owned(), finished: Arc::default(), text: None });
            }
        };
        let name = path.display().to_string();
        let file = File::create(path).map_err(|error| Failure::input(format!("{name}: {error}")))?;
        Ok(Sink { to: To::File(BufWriter::new(file), path.to_owned()), name, finished: Arc::default(), text: None })
    }

    /// The same sink, whose text becomes the field `text` of a JSON object if that is wanted.
    pub fn in_object(self, json: bool) -> Self {
        Sink { text: json.then(Vec::new), ..self }
    }

    /// Who looks after the file should the sink never be finished. It belongs outside the job that writes.
    pub fn guard(&self) -> Guard {
        let path = match &self.to {
            To::Stdout(_) => None,
            To::File(_, path) => Some(path.clone()),
        };
        Guard { path, finished: Arc::clone(&self.finished) }
    }

    /// Whether this is standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self.to, To::Stdout(_))
    }

    /// Everything is written: the file stays.
    pub fn finish(mut self) -> Result<(), Failure> {
        if let Some(text) = self.text.take() {
            let object = json!({ "version": env!("CARGO_PKG_VERSION"), "text": String::from_utf8_lossy(&text) });
            writeln!(self, "{object:#}")?;
        }
        self.flush()?;
        self.finished.store(true, Ordering::Release);
        Ok(())
    }

    /// Writes a finished text.
    pub fn write_text(mut self, text: &str) -> Result<(), Failure> {
        self.write_all(text.as_bytes())?;
        self.finish()
    }

    /// The error of a kind that says where it happened.
    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.name))
    }
}

/// Replaces a file at once: a reader sees the old text or the new one, never a part.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::input(format!("{}: {error}", path.display()));
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, path)).map_err(failed)
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(text) = &mut self.text {
            text.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        let written = match &mut self.to {
            To::Stdout(writer) => writer.write(bytes),
            To::File(writer, _) => writer.write(bytes),
        };
        written.map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.to {
            To::Stdout(writer) => writer.flush(),
            To::File(writer, _) => writer.flush(),
        };
        flushed.map_err(|error| self.named(error))
    }
}

/// Writes a problem. Without comments QDIMACS has no names.
pub fn write_problem(mut problem: Problem, format: Format, quiet: bool, sink: &mut Sink) -> Result<(), Failure> {
    if let (Problem::Qbf(qbf), Format::Qdimacs, true) = (&mut problem, format, quiet) {
        qbf.names = Names::new();
    }
    Ok(format::write(&problem, format, sink)?)
}

/// Tells what was tolerated in the input.
pub fn warn(name: &str, parsed: &Parsed) {
    for warning in &parsed.warnings {
        diagnose(&format!("c warning: {name}:{}: {}", warning.line, warning.message));
    }
}

/// One line on standard error. That it may be closed is no reason to fail.
pub fn diagnose(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether a terminal may show colours: not if NO_COLOR is set or the terminal is a dumb one.
fn may_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|value| value != "dumb")
}

/// Says on standard error why a command failed.
pub fn report(failure: &Failure) {
    match failure {
        Failure::BrokenPipe => {}
        Failure::Other(_, message) => diagnose(&format!("gamesat: {message}")),
        Failure::Stopped(reason) => diagnose(&format!("gamesat: not finished: {reason}")),
        Failure::Read(error) => match &**error {
            ReadError::Syntax(error) => diagnose(&syntax_error(error, io::stderr().is_terminal() && may_colour())),
            other => diagnose(&format!("gamesat: {other}")),
        },
    }
}

/// Says on standard output, as an object, why a command failed.
pub fn report_as_json(failure: &Failure) {
    let mut object = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "error": failure.message(),
        "exit_code": failure.exit().code(),
    });
    if let Failure::Read(error) = failure
        && let ReadError::Syntax(error) = &**error
    {
        object["file"] = json!(error.name);
        object["line"] = json!(error.line);
        object["column"] = json!(error.column);
        object["expected"] = json!(error.expected);
    }
    if !matches!(failure, Failure::BrokenPipe) {
        let _ = writeln!(io::stdout(), "{object}");
    }
}

/// A syntax error as `file:line:column: message`, the line, and a caret with what was expected.
fn syntax_error(error: &SyntaxError, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let title = format!("{}:{}:{}: {}", error.name, error.line, error.column, error.message);
    let expected = if error.expected.is_empty() { String::new() } else { format!("expected {}", error.expected) };
    // A blank behind the line lets the caret stand there when something is missing at its end.
    let line = format!("{} ", error.snippet);
    // Spans are in bytes of the snippet; columns count characters.
    let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let start = error.snippet_column;
    let span = byte(start)..byte(start + error.width.max(1));
    let mut annotation = AnnotationKind::Primary.span(span);
    if !expected.is_empty() {
        annotation = annotation.label(expected.as_str());
    }
    let number = usize::try_from(error.line).unwrap_or(usize::MAX);
    let snippet = Snippet::source(line.as_str()).line_start(number).annotation(annotation);
    let text = renderer.render(&[Level::ERROR.primary_title(title.as_str()).element(snippet)]).to_string();
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
