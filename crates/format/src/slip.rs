//! Slips of the pen: what was perhaps meant by a text that begins with no header and is no formula either.

use super::LONGEST_LINE;
use super::error::ReadError;
use super::lexer::Lexer;
use gamesat_core::rules::games;

/// Headers that are no boards, by their words.
const HEADERS: &[(&str, &str)] = &[
    ("p", "p cnf 3 2"),
    ("cnf", "p cnf 3 2"),
    ("gamesat", "p gamesat cnf 3 2"),
    ("setcol", "p setcol cnf 3 2 3"),
    ("score", "p score dnf 3 2"),
    ("shannon", "p shannon vertex 4 3"),
    ("qcir", "#QCIR-G14"),
];

/// The header that was perhaps meant by the first word of the text.
///
/// # Errors
/// There is no text at all.
pub(super) fn meant(lexer: &mut Lexer<'_>) -> Result<Option<String>, ReadError> {
    let window = lexer.window();
    let text = window[..window.len().min(LONGEST_LINE)].trim_ascii();
    if text.is_empty() && window.len() < LONGEST_LINE {
        return Err(lexer.error("the input is empty", format!("a formula, {}", beginnings())));
    }
    let separates = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'-';
    let end = text.iter().position(separates).unwrap_or(text.len());
    let digits = text[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    // No word or number follows a variable.
    let follows = digits > 0 || text[end..].trim_ascii_start().first().is_some_and(u8::is_ascii_alphanumeric);
    let word = text[..end - digits].to_ascii_lowercase();
    let near = |header: &str| {
        let header = header.as_bytes();
        word == header || word.len() > 2 && header.len() > 2 && one_apart(&word, header)
    };
    if !follows {
        return Ok(None);
    }
    let header = HEADERS.iter().find(|(header, _)| near(header)).map(|(_, example)| (*example).to_owned());
    let board = || games().iter().find(|game| near(game.word)).map(|game| format!("{} {}", game.word, game.words));
    Ok(header.or_else(board))
}

/// How a text that is no formula may begin.
pub(super) fn beginnings() -> String {
    let board = games().first().map_or("", |game| game.word);
    format!("a header such as 'p cnf 3 2' or a board such as '{board} 5'")
}

/// Whether one letter too much, too few or wrong, or two neighbours exchanged make one word of the other.
pub fn one_apart(one: &[u8], other: &[u8]) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    let exchanged = matches!((one, other), ([a, b, x @ ..], [c, d, y @ ..]) if (a, b) == (d, c) && x == y);
    let (behind_one, behind_other) = (one.get(1..), other.get(1..));
    exchanged
        || behind_one == Some(other)
        || behind_other == Some(one)
        || behind_one.is_some() && behind_one == behind_other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised() {
        for typed in ["slove", "sove", "solvee", "solfe", "solv"] {
            assert!(one_apart(typed.as_bytes(), b"solve"), "{typed}");
        }
        for typed in ["hex", "evlos", "so", "board"] {
            assert!(!one_apart(typed.as_bytes(), b"solve"), "{typed}");
        }
    }
}
