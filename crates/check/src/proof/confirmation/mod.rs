//! Confirmations, judged row by row: nothing is searched for.
//!
//! The [first part](clauses) is verified clause by clause, the [second](rules) rule by rule; what they have to satisfy, and why that is a proof, is said in
//! [`Confirmation`]. A formula that has no clause left is true without any rule.
//!
//! Shared with the engines are the data types and [`Control`].

mod clauses;
mod rules;
mod trouble;

use clauses::Clauses;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Confirmation, ConfirmationRow, Qbf};
use rules::Rules;
use std::fmt;
use trouble::{Said, Trouble};

/// Why a confirmation does not show anything about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationFlaw {
    /// The row, from 0; `None` if every row is right, but they do not show enough.
    pub row: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for ConfirmationFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row {
            Some(row) => write!(f, "row {}: {}", row + 1, self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Checks that a confirmation shows a formula to be true.
///
/// # Errors
/// The reason to stop before it was known.
pub fn check_confirmation(
    qbf: &Qbf,
    confirmation: &Confirmation,
    control: &Control,
) -> Result<Result<(), ConfirmationFlaw>, StopReason> {
    let mut poller = control.poller();
    let mut clauses = Clauses::new(qbf, &mut poller)?;
    let mut rules: Option<Rules> = None;
    let mut are_saved = false;
    for (row, (what, numbers)) in confirmation.rows().enumerate() {
        poller.poll(row as u64)?;
        let wrong = |what: &str| Ok(Err(ConfirmationFlaw { row: Some(row), what: what.to_owned() }));
        let is_clause = matches!(
            what,
            ConfirmationRow::Added
                | ConfirmationRow::Implied
                | ConfirmationRow::Beside
                | ConfirmationRow::Blocked
                | ConfirmationRow::Moved
                | ConfirmationRow::Expanded
        );
        if is_clause && rules.is_some() {
            return wrong("clauses come and go before there are rules");
        }
        if clauses.expects_blocked() && !matches!(what, ConfirmationRow::Beside | ConfirmationRow::Blocked) {
            return wrong("a blocked clause is expected after its reasons");
        }
        if rules.as_ref().is_some_and(Rules::expects_rule)
            && !matches!(what, ConfirmationRow::Last | ConfirmationRow::Rule)
        {
            return wrong("a rule is expected after what it picks");
        }
        let said = if is_clause {
            match what {
                ConfirmationRow::Added => clauses.add(numbers),
                ConfirmationRow::Implied => clauses.drop_implied(numbers, &mut poller),
                ConfirmationRow::Beside => clauses.note_beside(numbers),
                ConfirmationRow::Blocked => clauses.drop_blocked(numbers, &mut poller),
                ConfirmationRow::Moved => clauses.move_outwards(numbers),
                _ => clauses.expand(numbers, &mut poller),
            }
        } else {
            second_part(&clauses, &mut rules, &mut are_saved, (what, numbers), &mut poller)
        };
        match said {
            Ok(()) => {}
            Err(Trouble::Wrong(what)) => return wrong(&what),
            Err(Trouble::Stopped(reason)) => return Err(reason),
        }
    }
    let nothing_is_left = (0..clauses.len() as u32).all(|number| clauses.clause(number).is_none());
    let is_shown = !clauses.expects_blocked()
        && (nothing_is_left || rules.is_some_and(|rules| !rules.expects_rule() && rules.is_won()));
    if is_shown {
        return Ok(Ok(()));
    }
    Ok(Err(ConfirmationFlaw { row: None, what: "the last row does not show that what is left is true".to_owned() }))
}

/// A row of the second part; with the first one the clauses that are left become nodes.
fn second_part(
    clauses: &Clauses,
    rules: &mut Option<Rules>,
    are_saved: &mut bool,
    (what, numbers): (ConfirmationRow, &[i32]),
    poller: &mut Poller<'_>,
) -> Said {
    let rules = match rules {
        Some(rules) => rules,
        None => rules.insert(Rules::new(clauses, poller)?),
    };
    if what == ConfirmationRow::Saved {
        return rules.save(clauses, numbers);
    }
    if !std::mem::replace(are_saved, true) {
        rules.is_saving(clauses, poller)?;
    }
    match what {
        ConfirmationRow::Node => rules.name(clauses, numbers),
        ConfirmationRow::Definition => rules.define(clauses, numbers),
        ConfirmationRow::Picks => rules.pick(clauses, numbers),
        ConfirmationRow::Last => rules.last_rule(numbers, poller),
        ConfirmationRow::Rule => rules.other_rule(numbers, poller),
        _ => rules.resolve(numbers, poller),
    }
}
