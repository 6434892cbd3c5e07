//! Seeded families of instances, most of them with a known answer: for benchmarks, tests and papers.
//!
//! A family is one file and one line in [`families`]. An instance is a function of the family, its parameters and the
//! seed alone, on every machine and in every version.
//!
//! ```
//! use gamesat_encode::generate::{families, generate};
//!
//! let instance = generate("kbkf", &["n=3"], 0)?;
//! assert_eq!(instance.title, "kbkf n=3");
//! assert_eq!(instance.answer, Some(false));
//! assert!(families().iter().any(|family| family.name == "qparity"));
//! # Ok::<(), gamesat_encode::generate::GenerateError>(())
//! ```

mod adder;
mod board;
mod builder;
mod completion;
mod counter;
mod equality;
mod game_pairing;
mod game_parity;
mod game_random;
mod kbkf;
mod pigeonhole;
mod planar;
mod qparity;
mod random;
mod random_qbf;
mod sequential;

pub use random::Random;

use gamesat_core::Problem;
use std::sync::LazyLock;

/// An instance and what is known about it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The family with its parameters, and the seed if it matters.
    pub title: String,
    /// The instance.
    pub problem: Problem,
    /// Whether the formula is true, or MAX wins; `None` if that is not known beforehand.
    pub answer: Option<bool>,
}

/// What a parameter can be.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A number within bounds.
    Number {
        /// The value if none is given.
        default: u64,
        /// The least value.
        least: u64,
        /// The greatest value.
        greatest: u64,
    },
    /// One of some words; the first is the default.
    Words(&'static [&'static str]),
}

/// A parameter of a family.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in `name=value`.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// What it can be.
    pub values: Values,
}

/// A family of instances.
#[derive(Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What its instances say and what their answers are.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parameters, the one that is asked for most first.
    pub parameters: &'static [Parameter],
    /// Whether the seed matters.
    pub seeded: bool,
    build: fn(&Settings) -> Result<Made, GenerateError>,
}

/// Why an instance cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// There is no such family.
    #[error("there is no family '{0}'; the families are {known}", known = known_families())]
    UnknownFamily(String),
    /// The family has no such parameter.
    #[error("{family} has no parameter '{name}'; it has {known}")]
    UnknownParameter {
        /// The family.
        family: &'static str,
        /// The name that was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A parameter has a value that it cannot have.
    #[error("{name}={value}: expected {expected}")]
    BadValue {
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// What it can be.
        expected: String,
    },
    /// A parameter is given twice; a value alone is that of the first one.
    #[error("{0} is given twice; other parameters are given as name=value")]
    Twice(&'static str),
    /// The parameters do not fit together.
    #[error("{0}")]
    Impossible(String),
}

fn known_families() -> String {
    families().iter().map(|family| family.name).collect::<Vec<_>>().join(", ")
}

/// Every family.
pub fn families() -> &'static [Family] {
    static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
        let formulas = [
            kbkf::KBKF,
            kbkf::KBKF_LD,
            qparity::QPARITY,
            equality::EQUALITY,
            completion::COMPLETION,
            pigeonhole::PIGEONHOLE,
            adder::ADDER,
            counter::COUNTER,
            random_qbf::RANDOM,
        ];
        let games = [
            game_random::GAME_RANDOM,
            game_pairing::GAME_PAIRING,
            game_parity::GAME_PARITY,
            planar::PLANAR,
            sequential::CONNECT,
            sequential::DOTS,
            sequential::MINICHESS,
            sequential::DOMINOES,
            sequential::SUDOKU,
        ];
        formulas.into_iter().chain(board::families()).chain(games).collect()
    });
    &FAMILIES
}

/// Makes the instance of a family with these parameters, each `name=value`, or a value alone for the family's first one.
/// Parameters that are not named have their defaults.
///
/// # Errors
/// Names and values that do not exist, and instances that would be too large or contradict themselves.
pub fn generate(family: &str, parameters: &[impl AsRef<str>], seed: u64) -> Result<Instance, GenerateError> {
    let family = families()
        .iter()
        .find(|known| known.name == family)
        .ok_or_else(|| GenerateError::UnknownFamily(family.to_owned()))?;
    let settings = Settings::parse(family, parameters, seed)?;
    let made = (family.build)(&settings)?;
    Ok(Instance { title: settings.title(), problem: made.problem, answer: made.answer })
}

/// What a family's builder returns.
struct Made {
    problem: Problem,
    answer: Option<bool>,
}

/// The values of a family's parameters, in order; of words, their position.
struct Settings {
    family: &'static Family,
    values: Vec<u64>,
    seed: u64,
}

impl Settings {
    fn parse(family: &'static Family, given: &[impl AsRef<str>], seed: u64) -> Result<Self, GenerateError> {
        let default = |parameter: &Parameter| match parameter.values {
            Values::Number { default, .. } => default,
            Values::Words(_) => 0,
        };
        let mut values: Vec<u64> = family.parameters.iter().map(default).collect();
        let mut seen = vec![false; values.len()];
        for text in given {
            let text = text.as_ref();
            let (name, value) = text.split_once('=').unwrap_or((family.parameters[0].name, text));
            let index = family.parameters.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
                let known = family.parameters.iter().map(|parameter| parameter.name).collect::<Vec<_>>().join(", ");
                GenerateError::UnknownParameter { family: family.name, name: name.to_owned(), known }
            })?;
            if std::mem::replace(&mut seen[index], true) {
                return Err(GenerateError::Twice(family.parameters[index].name));
            }
            values[index] = family.parameters[index].read(value)?;
        }
        Ok(Settings { family, values, seed })
    }

    fn number(&self, name: &str) -> usize {
        let index = self.family.parameters.iter().position(|parameter| parameter.name == name);
        self.values[index.expect("builders ask for their own parameters")] as usize
    }

    fn word(&self, name: &str) -> &'static str {
        let parameter = self.family.parameters.iter().find(|parameter| parameter.name == name);
        match parameter.map(|parameter| parameter.values) {
            Some(Values::Words(words)) => words[self.number(name)],
            _ => panic!("builders ask for words where there are words"),
        }
    }

    fn title(&self) -> String {
        let mut title = self.family.name.to_owned();
        for parameter in self.family.parameters {
            let value = match parameter.values {
                Values::Number { .. } => self.number(parameter.name).to_string(),
                Values::Words(_) => self.word(parameter.name).to_owned(),
            };
            title += &format!(" {}={value}", parameter.name);
        }
        if self.family.seeded {
            title += &format!(" seed={}", self.seed);
        }
        title
    }
}

impl Parameter {
    const fn number(name: &'static str, about: &'static str, default: u64, least: u64, greatest: u64) -> Self {
        Parameter { name, about, values: Values::Number { default, least, greatest } }
    }

    const fn words(name: &'static str, about: &'static str, words: &'static [&'static str]) -> Self {
        Parameter { name, about, values: Values::Words(words) }
    }

    fn read(&self, value: &str) -> Result<u64, GenerateError> {
        let (read, expected) = match self.values {
            Values::Number { least, greatest, .. } => {
                let number = value.parse().ok().filter(|number| (least..=greatest).contains(number));
                (number, format!("a number from {least} to {greatest}"))
            }
            Values::Words(words) => {
                (words.iter().position(|&word| word == value).map(|at| at as u64), words.join(" or "))
            }
        };
        read.ok_or_else(|| GenerateError::BadValue { name: self.name, value: value.to_owned(), expected })
    }
}

/// The most literals an instance may have: about a gigabyte of text.
const MOST_LITERALS: u64 = 100_000_000;

/// Refuses instances of more than [`MOST_LITERALS`] literals before any of them is made.
fn check_size(literals: impl IntoIterator<Item = usize>) -> Result<(), GenerateError> {
    let product = literals.into_iter().try_fold(1u64, |product, factor| product.checked_mul(factor as u64));
    match product {
        Some(literals) if literals <= MOST_LITERALS => Ok(()),
        _ => Err(GenerateError::Impossible(format!("more than {MOST_LITERALS} literals: choose smaller parameters"))),
    }
}
