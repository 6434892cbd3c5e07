//! Text: what is written reads back, and what is damaged is refused or read, within a budget of time and memory that a
//! file of its size deserves.

use super::{Case, own_format, random_options};
use crate::support::boards::{random_positions, value};
use crate::support::certified::{random_circuit_qbf, random_qbf};
use crate::support::games::{Kind, random_game};
use crate::support::other_questions::{proof, proofs, random_quantified_circuit, truth};
use gamesat::Problem;
use gamesat::control::{Control, Interrupt, Limits, peak_memory};
use gamesat::format::{self, Format, ReadError, ReadOptions, decompress, read_proof, within, write_proof};
use gamesat::formula::Proof;
use gamesat::solve::{Options, Question, Verdict, Wanted, ask};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

fn any_problem(random: &mut ChaCha8Rng) -> Problem {
    match random.random_range(0..5) {
        0 => Problem::Qbf(random_qbf(random.random())),
        1 => Problem::Qbf(random_circuit_qbf(random)),
        2 => Problem::Circuit(random_quantified_circuit(random)),
        3 => {
            let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed][random.random_range(0..3)];
            let mut game = random_game(random, 5, kind);
            game.add_stars(random.random_range(0..2));
            Problem::Game(game)
        }
        _ => {
            let mut boards = random_positions(random, 5);
            Problem::Board(boards.swap_remove(random.random_range(0..boards.len())))
        }
    }
}

/// Both have the same answer. A board is asked for the side that wins, as not every format says who is MAX.
fn same_answer(problem: &Problem, again: &Problem) -> bool {
    match (problem, again) {
        (Problem::Board(board), Problem::Board(again)) => value(board).ending == value(again).ending,
        _ => truth(problem) == truth(again),
    }
}

fn read_in(text: &[u8], format: Format) -> Result<format::Parsed, ReadError> {
    format::read(&mut &*text, "text", &ReadOptions { format: Some(format), ..ReadOptions::default() })
}

/// What was written and read once is written in the same words ever after. (The first time rows with repeated literals may
/// become a formula without them, for instance.)
fn assert_is_settled(problem: &Problem, format: Format) {
    let text = format::to_string(problem, format).unwrap_or_else(|error| panic!("{error}: {problem:?}"));
    let again = read_in(text.as_bytes(), format).unwrap_or_else(|error| panic!("{error}: {problem:?}\n{text}"));
    assert_eq!(format::to_string(&again.problem, format).unwrap(), text, "{problem:?}");
}

/// What a file is packed in.
fn packed(random: &mut ChaCha8Rng, text: &[u8]) -> Vec<u8> {
    if random.random() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    } else {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }
}

pub fn round_trips(random: &mut ChaCha8Rng, case: &mut Case) {
    let problem = any_problem(random);
    case.problem(&problem, &Options::default());
    for &format in Format::all() {
        let Ok(text) = format::to_string(&problem, format) else {
            case.count("refused");
            continue;
        };
        let context = || format!("{} of {problem:?}\n{text}", format.name());
        let again = read_in(text.as_bytes(), format).unwrap_or_else(|error| panic!("{error}: {}", context()));
        assert!(again.warnings.is_empty(), "{:?}: {}", again.warnings, context());
        assert_eq!(format::sniff(text.as_bytes()), format, "{}", context());
        assert_is_settled(&again.problem, format);
        assert!(same_answer(&problem, &again.problem), "{:?}: {}", again.problem, context());
        case.count("read again");
        if random.random_range(0..4) == 0 {
            let mut unpacked = Vec::new();
            let small = packed(random, text.as_bytes());
            decompress(Cursor::new(small)).unwrap().read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, text.as_bytes());
        }
    }
    for proof in proofs(&problem) {
        let binary = random.random();
        let written = proof_text(&proof, binary);
        let again = read_proof(&mut &written[..], "proof").unwrap_or_else(|error| panic!("{error}: {proof:?}"));
        assert_eq!(proof_text(&again, binary), written, "{proof:?}");
        case.count("proof read again");
    }
}

fn proof_text(proof: &Proof, binary: bool) -> Vec<u8> {
    let mut text = Vec::new();
    write_proof(proof, binary, &mut text).unwrap();
    text
}

/// The examples of the grammars, good and bad.
static EXAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars/examples");
    let mut paths = Vec::new();
    for part in ["ok", "bad"] {
        paths.extend(std::fs::read_dir(directory.join(part)).unwrap().map(|entry| entry.unwrap().path()));
    }
    paths.retain(|path| path.extension().is_none_or(|end| end != "expected"));
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
});

/// An example, a problem in some format, or a proof.
fn any_text(random: &mut ChaCha8Rng) -> Vec<u8> {
    if random.random() {
        return EXAMPLES[random.random_range(0..EXAMPLES.len())].clone();
    }
    let problem = any_problem(random);
    if random.random_range(0..4) == 0
        && let Some(proof) = proof(&problem)
    {
        return proof_text(&proof, random.random());
    }
    let formats = Format::all();
    let format = formats[random.random_range(0..formats.len())];
    let text = format::to_string(&problem, format).or_else(|_| format::to_string(&problem, own_format(&problem)));
    text.unwrap_or_else(|_| "hex 4\n".to_owned()).into_bytes()
}

/// Numbers at which something may overflow.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "26",
    "27",
    "65536",
    "999999",
    "1073741823",
    "1073741824",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775808",
    "99999999999999999999999",
];

/// Bytes that mean something in some format, and bytes that never do.
const STRANGE: &[u8] = b"\n\r\t 01279-+#%c()[];:,.=<>&|^!~aevxBWOX\"\\\0\xff";

/// Large enough for what grows faster than its input to show.
const LONGEST: usize = 1 << 16;

fn mutate(random: &mut ChaCha8Rng, bytes: &mut Vec<u8>) {
    let at = random.random_range(0..=bytes.len());
    let end = random.random_range(at..=bytes.len().min(at + 8));
    match random.random_range(0..11) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
        1 if at < bytes.len() => bytes[at] = random.random(),
        2 => bytes.insert(at, STRANGE[random.random_range(0..STRANGE.len())]),
        3 => drop(bytes.drain(at..end)),
        4 => bytes.truncate(at),
        5 => {
            let piece = bytes[at..end].to_vec();
            let most = LONGEST.saturating_sub(bytes.len()) / piece.len().max(1);
            let times = if random.random_range(0..8) == 0 { random.random_range(0..=most) } else { 1.min(most) };
            bytes.splice(at..at, piece.repeat(times));
        }
        6 => {
            let other = any_text(random);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[random.random_range(0..=other.len())..]);
        }
        7 => {
            // Another number.
            let is_digit = |index: &usize| bytes[*index].is_ascii_digit();
            let Some(start) = (at..bytes.len()).find(is_digit) else { return };
            let end = (start..bytes.len()).find(|index| !is_digit(index)).unwrap_or(bytes.len());
            bytes.splice(start..end, NUMBERS[random.random_range(0..NUMBERS.len())].bytes());
        }
        _ => {
            // A line dropped, said twice or moved.
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
            if lines.is_empty() {
                return;
            }
            let line = lines[random.random_range(0..lines.len())];
            let place = random.random_range(0..lines.len());
            match random.random_range(0..3) {
                0 => drop(lines.remove(place)),
                1 => lines.insert(place, line),
                _ => lines[place] = line,
            }
            *bytes = lines.concat();
        }
    }
}

/// Processor time of this thread, where the system tells it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_ascii_whitespace().next()?.parse().ok()?))
}

/// Runs a reader and panics if it takes far more than a file of this size deserves.
fn within_budget<T>(what: &str, size: usize, read: impl FnOnce() -> T) -> T {
    let (time, memory) = (processor_time(), peak_memory());
    let result = read();
    if let (Some(before), Some(after)) = (time, processor_time()) {
        let spent = after.saturating_sub(before);
        assert!(spent < Duration::from_secs(5), "{what}: {spent:?} for {size} bytes");
    }
    if let (Some(before), Some(after)) = (memory, peak_memory()) {
        let grown = after.saturating_sub(before);
        assert!(grown < (64 << 20) + 1024 * size as u64, "{what}: {} MB for {size} bytes", grown >> 20);
    }
    result
}

fn limited(seconds: u64, nodes: Option<u64>) -> Control {
    let limits = Limits { time: Some(Duration::from_secs(seconds)), nodes, ..Limits::default() };
    Control::new(limits, Interrupt::new())
}

/// Whether engines and writers may be expected to be quick about it.
fn is_small(problem: &Problem) -> bool {
    match problem {
        Problem::Qbf(qbf) => qbf.prefix().vars().len() <= 24 && qbf.matrix().len() <= 200,
        Problem::Circuit(circuit) => circuit.prefix().vars().len() <= 24 && circuit.circuit().num_gates() <= 100,
        // The number of elements may be anything: most of them are alike.
        Problem::Game(game) => game.matrix_len() <= 60,
        Problem::Board(board) => board.free().count() <= 16 && board.elements() <= 100,
        // What takes longer is cut off.
        _ => true,
    }
}

pub fn mutants(random: &mut ChaCha8Rng, case: &mut Case) {
    let mut bytes = any_text(random);
    for _ in 0..random.random_range(0..=4) {
        mutate(random, &mut bytes);
    }
    if random.random_range(0..16) == 0 {
        bytes = packed(random, &bytes);
        mutate(random, &mut bytes);
    }
    let formats = Format::all();
    let options = ReadOptions {
        format: (random.random_range(0..4) == 0).then(|| formats[random.random_range(0..formats.len())]),
        single_word: random.random(),
        file_name: (random.random_range(0..16) == 0)
            .then(|| format!("file.{}", formats[random.random_range(0..formats.len())].name())),
        strict: random.random_range(0..4) == 0,
        tolerant: random.random_range(0..4) == 0,
        ply: (random.random_range(0..16) == 0).then(|| random.random_range(0..5)),
    };
    let mut command = format!("gamesat solve {}", options.file_name.as_deref().unwrap_or("FILE"));
    command += &options.format.map_or_else(String::new, |format| format!(" --format {}", format.name()));
    command += if options.strict { " --strict" } else { "" };
    command += if options.tolerant { " --tolerant" } else { "" };
    command += &options.ply.map_or_else(String::new, |ply| format!(" --ply {ply}"));
    case.text(&bytes, &command);
    let size = bytes.len();
    let parsed = within_budget("a problem", size, || {
        let control = limited(10, None);
        let unpacked = decompress(Cursor::new(bytes.clone())).ok()?;
        match format::read(&mut within(unpacked, &control), "text", &options) {
            Ok(parsed) => Some(parsed),
            Err(ReadError::Syntax(error)) => {
                assert!(error.snippet_column <= error.snippet.chars().count(), "{error:?}");
                assert!(error.line > 0 && error.column > 0 && error.width > 0, "{error:?}");
                None
            }
            Err(ReadError::Stopped(reason)) => panic!("{reason}"),
            Err(_) => None,
        }
    });
    let found = within_budget("a proof", size, || read_proof(&mut &bytes[..], "text").ok());
    if let Some(found) = &found {
        let written = proof_text(found, true);
        let again = read_proof(&mut &written[..], "text").unwrap_or_else(|error| panic!("{error}: {found:?}"));
        assert_eq!(proof_text(&again, true), written);
        case.count("proof");
    }
    let Some(parsed) = parsed else { return case.count("refused") };
    case.count("read");
    let problem = &parsed.problem;
    if !is_small(problem) {
        return;
    }
    // What was read can be written, and says the same.
    if let Ok(text) = format::to_string(problem, parsed.format) {
        let again =
            read_in(text.as_bytes(), parsed.format).unwrap_or_else(|error| panic!("{error}: {problem:?}\n{text}"));
        assert_is_settled(&again.problem, parsed.format);
    }
    let mut usual = random_options(random);
    (usual.game.table, usual.graph.graph_table, usual.sequential.sequential_table) = (1, 1, 1);
    let mut naive = usual.clone();
    naive.engine = Some("naive".to_owned());
    usual.threads = random.random_range(1..=2);
    case.text(&bytes, &format!("{command}{}", super::flags(&usual)));
    let question = Question { problem, wanted: &Wanted::default() };
    let answers = [&usual, &naive].map(|options| {
        within_budget("a solver", size.max(1 << 16), || {
            ask(&question, options, &limited(3, Some(20_000))).map(|answer| answer.verdict)
        })
    });
    if let [Ok(usual), Ok(naive)] = answers
        && usual != Verdict::Unknown
        && naive != Verdict::Unknown
    {
        assert_eq!(usual, naive, "{problem:?}");
        case.count("solved");
    }
    if let Some(proof) = found.or_else(|| (random.random_range(0..8) == 0).then(|| proof_within(problem)).flatten())
        && let Ok(judgement) = gamesat::check::verify(problem, &proof, &limited(3, Some(100_000)))
        && let (gamesat::check::Judgement::Accepted(verdict), Ok(naive)) = (judgement, &answers[1])
    {
        assert!(*naive == Verdict::Unknown || *naive == Verdict::from(verdict), "{problem:?} {proof:?}");
        case.count("proved");
    }
}

/// A proof of a problem, if there is one within the limits.
fn proof_within(problem: &Problem) -> Option<Proof> {
    let mut options = Options::default();
    options.game.table = 1;
    let wanted = Wanted::default().and_proof();
    ask(&Question { problem, wanted: &wanted }, &options, &limited(3, Some(20_000))).ok()?.proof
}
