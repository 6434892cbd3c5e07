//! The classes of characters that grammars name in words.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Whether a character belongs to a class.
pub fn contains(class: &str, c: char) -> bool {
    match class {
        "tab" => c == '\t',
        "carriage return" => c == '\r',
        "line feed" => c == '\n',
        "byte order mark" => c == '\u{FEFF}',
        "quotation mark" => c == '"',
        "any character but a line feed" => c != '\n',
        "any visible character" => !c.is_whitespace() && !c.is_control(),
        "any visible character but a number sign" => !c.is_whitespace() && !c.is_control() && c != '#',
        "any letter" => c.is_alphabetic(),
        "any letter of ASCII" => c.is_ascii_alphabetic(),
        "any letter or digit" => c.is_alphanumeric(),
        "any letter or digit of ASCII" => c.is_ascii_alphanumeric(),
        _ => panic!("unknown class of characters: {class}"),
    }
}

/// The special that stands for nothing, in a place where no part of a word follows.
pub const END_OF_WORD: &str = "end of word";

/// What stands for the end of a word in a sentence that is not finished.
pub const OPEN_END: char = '\u{E000}';

/// Whether a character can go on with a word.
pub fn continues(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}

/// The sentence with a blank wherever a word would go on behind its end.
pub fn separated(text: &str) -> String {
    let mut characters = text.chars().peekable();
    let mut separated = String::with_capacity(text.len());
    while let Some(c) = characters.next() {
        if c != OPEN_END {
            separated.push(c);
        } else if characters.peek().is_some_and(|&next| continues(next)) {
            separated.push(' ');
        }
    }
    separated
}

/// The word of a special that stands for a word in any case.
pub fn any_case(special: &str) -> Option<&str> {
    special.strip_suffix(", in any case")
}

/// Some characters that a grammar may meet, and some that it had better not.
pub const ALPHABET: &[char] = &[
    'a', 'c', 'e', 'p', 'x', 'y', 'Z', 'é', 'λ', '名', '0', '1', '2', '7', '-', '_', '\'', ' ', '\t', '\r', '\n', '\n',
    '#', '%', '(', ')', ',', '=', ':', ';', '!', '~', '¬', '&', '∧', '|', '∨', '^', '⊕', '>', '<', '→', '↔', '≡', '∀',
    '∃', '"', '\0', '\u{7f}', '\u{a0}', '\u{FEFF}', '\u{FFFD}', '²',
];

/// A random member of a class.
pub fn random(class: &str, rng: &mut ChaCha8Rng) -> char {
    let members: Vec<char> = ALPHABET.iter().copied().filter(|&c| contains(class, c)).collect();
    assert!(!members.is_empty(), "no member of {class} in the alphabet");
    members[rng.random_range(0..members.len())]
}
