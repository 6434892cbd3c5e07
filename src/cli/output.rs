//! The only code that writes to standard output, and how diagnostics look on standard error.

use super::args::OutputArgs;
use super::exit::Failure;
use annotate_snippets::renderer::Renderer;
use annotate_snippets::{AnnotationKind, Level, Snippet};
use gamesat::format::{Parsed, ReadError, SyntaxError};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

/// Standard output or the file of `-o`, buffered.
pub fn open(args: &OutputArgs) -> Result<Box<dyn Write>, Failure> {
    Ok(match &args.output {
        Some(path) => {
            let file = File::create(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(BufWriter::new(io::stdout())),
    })
}

/// Writes a finished text.
pub fn write(args: &OutputArgs, text: &str) -> Result<(), Failure> {
    let mut out = open(args)?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Tells what was tolerated in the input.
pub fn warn(args: &OutputArgs, name: &str, parsed: &Parsed) {
    if !args.quiet {
        for warning in &parsed.warnings {
            diagnose(&format!("c warning: {name}:{}: {}", warning.line, warning.message));
        }
    }
}

/// Tells what is being done, with `--verbose`.
pub fn narrate(args: &OutputArgs, text: &str) {
    if args.verbose {
        diagnose(&format!("c {text}"));
    }
}

/// One line on standard error. That it may be closed is no reason to fail.
pub fn diagnose(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether standard error is a terminal that may show colours.
fn colourful() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Says on standard error why a command failed.
pub fn report(failure: &Failure) {
    match failure {
        Failure::BrokenPipe => {}
        Failure::Other(_, message) => diagnose(&format!("gamesat: {message}")),
        Failure::Read(error) => match &**error {
            ReadError::Syntax(error) => diagnose(&syntax_error(error, colourful())),
            other => diagnose(&format!("gamesat: {other}")),
        },
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
