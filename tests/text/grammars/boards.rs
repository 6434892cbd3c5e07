//! What the generator knows about boards: chance alone would hardly ever place a stone on one.

use super::ebnf::Grammar;
use gamesat::Problem;
use gamesat::format::{ReadOptions, read};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Stands for the number of edges until that is known.
const EDGES: &str = "7777";

/// A likely word for a rule, given those that the rule has produced before in this sentence.
pub fn word(rule: &str, known: &[String], text: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    let mut number = |most: u32| rng.random_range(1..=most).to_string();
    let word = match rule {
        "extent" => number(6),
        "column" => number(4),
        "vertices" => "9".to_owned(),
        "vertex" => number(9),
        "element" => number(5),
        "edges" => EDGES.to_owned(),
        "edge" => return fresh(known, || format!("e {} {}", rng.random_range(1..=4), rng.random_range(5..=9))),
        "cell" => {
            return fresh(known, || {
                format!("{}{}", char::from(b'a' + rng.random_range(0..9u8)), rng.random_range(1..=9))
            });
        }
        "name" => ["a", "b", "c", "d"][rng.random_range(0..4)].to_owned(),
        "code word" => {
            const LIKELY: [&str; 8] = [
                "#times",
                "#blackturns",
                "#blackwins",
                "#whitewins",
                "#blackinitials",
                "#whiteinitials",
                "#version",
                "#Neighbours",
            ];
            return fresh(known, || LIKELY[rng.random_range(0..LIKELY.len())].to_owned());
        }
        "tile" => {
            let mut tile = || format!("{}{}", rng.random_range(0..7), rng.random_range(0..7));
            return match known.len() {
                5 => Some(known[0].clone()),
                _ => fresh(known, &mut tile),
            };
        }
        "goal" => return Some(rng.random_range(50..=100).to_string()).filter(|_| rng.random_bool(0.9)),
        "score" => return Some(rng.random_range(0..60).to_string()).filter(|_| rng.random_bool(0.9)),
        // Kings and a few others, mostly.
        "placement" => {
            if rng.random_bool(0.2) {
                return None;
            }
            let mut rows: Vec<String> = (0..8).map(|_| "8".to_owned()).collect();
            rows[rng.random_range(0..4)] = "3k4".to_owned();
            rows[rng.random_range(4..8)] = ["2K5", "2K5", "2KR3q", "8"][rng.random_range(0..4)].to_owned();
            rows.join("/")
        }
        "plies" => return if rng.random_bool(0.2) { None } else { Some(rng.random_range(1..=60).to_string()) },
        // A property without a value is refused.
        "other" => "C[x]".to_owned(),
        "position" => return rows(text, rng),
        _ => return None,
    };
    Some(word)
}

/// A word that is not known yet, if one is found soon.
fn fresh(known: &[String], mut word: impl FnMut() -> String) -> Option<String> {
    (0..20).map(|_| word()).find(|word| !known.contains(word))
}

/// Rows of the right lengths under a header, half of the time.
fn rows(text: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    if text.to_ascii_lowercase().trim_end().ends_with("sudoku") && rng.random_bool(0.7) {
        // Enough cells, of which few are given.
        let cells = [16, 16, 81, 256][rng.random_range(0..4)];
        let cell = |_| if rng.random_bool(0.1) { char::from(b'1' + rng.random_range(0..4u8)) } else { '.' };
        let cells: String = (0..cells).map(cell).collect();
        // Mistakes in a comment are none.
        return Some(cells + &"\n# as it stood in the newspaper".repeat(rng.random_range(0..4)));
    }
    if rng.random() {
        return None;
    }
    let Ok(parsed) = read(&mut text.as_bytes(), "header", &ReadOptions::default()) else { return None };
    let board = match parsed.problem {
        Problem::Board(board) => board,
        Problem::Sequential(mut game) => {
            // Some moves of a game, mostly.
            for _ in 0..rng.random_range(0..20) {
                let moves = game.moves();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[rng.random_range(0..moves.len())]);
            }
            let mut rows = game.picture();
            if rng.random_bool(0.3) {
                let at = rng.random_range(0..rows.len());
                let strange = ["X", "o", ".", "", "\n"][rng.random_range(0..5)];
                rows.replace_range(at..=at, strange);
            }
            return Some(rows);
        }
        _ => return None,
    };
    let mut rows = String::new();
    for (indent, elements) in board.lines() {
        rows.push_str(&" ".repeat(indent));
        for _ in elements {
            rows.push(['.', '.', 'B', 'w', 'x', 'O'][rng.random_range(0..6)]);
            rows.push_str(["", " "][rng.random_range(0..2)]);
        }
        rows.push('\n');
    }
    Some(rows)
}

/// Whether a grammar describes boards.
pub fn is_board(grammar: &Grammar) -> bool {
    ["position", "vertices", "cell", "code word", "placement", "tile"]
        .iter()
        .any(|&rule| grammar.rules.contains_key(rule))
}

/// Puts in what a sentence needs and can only have in the end, most of the time.
pub fn complete(grammar: &Grammar, text: &mut String, edges: usize, rng: &mut ChaCha8Rng) {
    if rng.random_bool(0.1) {
        return;
    }
    if grammar.rules.contains_key("vertices") {
        *text = text.replacen(EDGES, &edges.to_string(), 1);
    } else if grammar.rules.contains_key("cell") {
        *text = text.replacen(';', ";GM[11]SZ[9]", 1);
    } else if grammar.rules.contains_key("code word") && !text.to_ascii_lowercase().contains("#positions") {
        let start = text.len() - text.trim_start_matches('\u{FEFF}').len();
        text.insert_str(start, "#positions\na b c d\n");
    }
}
