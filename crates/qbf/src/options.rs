//! The switches of the engines for quantified formulas.

use gamesat_core::options;
use gamesat_sat::Backend;

options! {
    /// The techniques of the QBF simplifier, each with its switch, and the bounds they work under.
    ///
    /// Every technique is sound alone and in every combination, so any subset may be chosen. Work is counted in *effort*,
    /// roughly one unit per literal looked at, so that results repeat from run to run on any machine; time only counts if
    /// the [`Control`](gamesat_core::control::Control) limits it.
    SimplifyOptions {
        universal_reduction: true, "Drop universal literals that no existential literal of the clause is to the right of";
        unit_propagation: true, "Assign the existential literal of a clause that has nothing else";
        pure_literals: true, "Assign literals whose negation occurs nowhere";
        subsumption: true, "Remove clauses that contain another clause, and literals that resolution shows to be useless";
        equivalences: true, "Merge literals that imply each other through binary clauses";
        failed_literals: true, "Assign the negation of literals whose propagation ends in a conflict";
        blocked_clauses: true, "Remove clauses that are blocked by an existential literal";
        covered_literals: true, "Extend a clause by hidden and covered literals before it is tested for being blocked";
        blocked_literals: true, "Remove universal literals that block their clause";
        elimination: true, "Replace the clauses of an existential variable by their resolvents, or substitute its definition";
        expansion: true, "Replace a universal variable by both its values";
        dependencies: true, "Drop dependencies that no resolution path carries";
        shifting: true, "Move blocks along the prefix where that removes an alternation";
        vivification: true, "Shorten clauses by propagating their negations";
        redundancies: true, "Remove clauses and universal literals that propagation shows to be redundant (QRAT+)";
        autarkies: true, "Assign sets of existential literals that satisfy every clause they touch";
        sat_checks: true, "Ask a SAT solver about the matrix alone: unsatisfiable, implied literals, constants that satisfy it";
    }
    settings {
        /// For whose functions the way back is recorded, beside the values of the outermost block.
        functions: Functions = Functions::None;
        /// Most rounds over all techniques.
        rounds: usize = 50;
        /// Total effort.
        effort: u64 = 250_000_000;
        /// Formulas with more literals than this are returned as they are: occurrence lists would cost too much.
        max_literals: usize = 50_000_000;
        /// Elimination may add this many clauses for one variable beyond those it removes.
        elimination_growth: usize = 8;
        /// Expansion may let the matrix grow to this percentage of its first size; it is undone unless it pays ...
        expansion_growth: usize = 400;
        /// ... and by this many literals more.
        expansion_bonus: usize = 20_000;
    }
}

options! {
    /// Switches of clausal abstraction.
    AbstractionOptions {
        copies: true, "Give the level before the last universal one a copy of the innermost level for every move that refutes it";
        reason_minimisation: true, "Drop nodes from reasons while the rest still suffices";
        own_means: true, "Let the innermost level satisfy clauses by its own variables where it can";
        circuits: false, "Let a win at the innermost level rest on what is used, not on every definition";
    }
    settings {
        /// The SAT solver of each level.
        backend: Backend = Backend::default();
        /// Conflicts that may be spent on each attempt to drop a node from a reason.
        minimise_conflicts: u64 = 20;
    }
}

options! {
    /// Switches of conflict-driven search for quantified formulas.
    QcdclOptions {
        early_wins: true, "End a play when what is left of it is won whatever is chosen";
        active_values: true, "Decide a variable as the clauses that are still open want it, if they agree";
        axioms: true, "Ask a SAT solver before a block whether the clauses can still be satisfied, and learn why not";
        gentle_trial: true, "Try a small formula of many blocks before variable elimination and expansion";
    }
    settings {
        /// Ends of plays between two restarts, times a slowly growing sequence.
        restart_period: u64 = 64;
        /// SAT calls that do not pay may cost one part in so many of the search's other work; with 0 nobody asks what they cost.
        axiom_share: u64 = 16;
    }
}

options! {
    /// Switches of the portfolio of QBF engines.
    PortfolioOptions {
        ground_trial: true, "Try a formula with few universal variables as it is, by all copies at once and by expansion";
        expansion_trial: true, "Try a formula of two or three blocks as it is, by expansion with its definitions";
        symbolic_trial: true, "Try a formula of few variables by decision diagrams before variable elimination";
        circuits_trial: true, "Try a formula of two or three blocks by abstraction before variable elimination";
        sharing: true, "Let engines at work on one formula tell each other clauses about the outermost block";
    }
    settings {
        /// Formulas with fewer literals than this are not worth a trial as they are.
        trial_literals: usize = 5_000;
        /// Those with fewer literals than this are not worth decision diagrams.
        symbolic_literals: usize = 500;
    }
}

/// What shall show the verdict on a quantified formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certificate {
    /// The winner's functions; or, where these are large or hard to find, [steps](Certificate::Steps).
    #[default]
    Any,
    /// The winner's functions.
    Functions,
    /// Of a false formula a [refutation](gamesat_core::formula::Refutation) and of a true one a [confirmation](gamesat_core::formula::Confirmation), if one
    /// is found; otherwise the winner's functions.
    Steps,
}

/// Functions of variables in all blocks that a simplification can carry back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Functions {
    /// None, only values of the outermost block.
    #[default]
    None,
    /// Skolem functions, should the formula be true. Whatever makes a formula stronger keeps them, so that every
    /// technique may run; Herbrand functions come back too unless one of these steps was taken.
    Skolem,
    /// Skolem and Herbrand functions; failed literals are then found by plain propagation, and techniques without a way
    /// back should be off: see [`SimplifyOptions::certifying`].
    Both,
}

impl SimplifyOptions {
    /// The techniques whose effect on Skolem and Herbrand functions can be undone step by step, with recording on: all
    /// but expansion and what changes the prefix.
    pub fn certifying() -> Self {
        SimplifyOptions::default().into_certifying()
    }

    /// These options without the techniques that have no way back for Herbrand functions, and with recording on.
    pub fn into_certifying(self) -> Self {
        SimplifyOptions { expansion: false, dependencies: false, shifting: false, functions: Functions::Both, ..self }
    }
}
