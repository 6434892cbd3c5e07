//! Which techniques run, and how hard they try.

/// The techniques of the simplifier, each with its switch, and the bounds they work under.
///
/// Every technique is sound alone and in every combination, so any subset may be chosen. Work is counted in *effort*,
/// roughly one unit per literal looked at, so that results repeat from run to run on any machine; time only counts if
/// the [`Control`](crate::control::Control) limits it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SimplifyOptions {
    /// Drop universal literals that no existential literal of the clause is to the right of.
    pub universal_reduction: bool,
    /// Assign the existential literal of a clause that has nothing else.
    pub unit_propagation: bool,
    /// Assign literals whose negation occurs nowhere.
    pub pure_literals: bool,
    /// Remove clauses that contain another clause, and literals that resolution with another clause shows to be useless.
    pub subsumption: bool,
    /// Merge literals that imply each other through binary clauses.
    pub equivalences: bool,
    /// Assign the negation of literals whose propagation ends in a conflict.
    pub failed_literals: bool,
    /// Remove clauses that are blocked by an existential literal.
    pub blocked_clauses: bool,
    /// Extend a clause by hidden and covered literals before it is tested for being blocked.
    pub covered_literals: bool,
    /// Remove universal literals that block their clause.
    pub blocked_literals: bool,
    /// Replace the clauses of an existential variable by their resolvents, or substitute its definition.
    pub elimination: bool,
    /// Replace a universal variable by both its values.
    pub expansion: bool,
    /// Drop dependencies that no resolution path carries.
    pub dependencies: bool,
    /// Move blocks along the prefix where that removes an alternation.
    pub shifting: bool,
    /// Shorten clauses by propagating their negations.
    pub vivification: bool,
    /// Assign sets of existential literals that satisfy every clause they touch.
    pub autarkies: bool,
    /// Ask a SAT solver about the matrix alone: whether it is unsatisfiable, which literals it implies, and whether its
    /// existential part can be satisfied by constants.
    pub sat_checks: bool,
    /// For whose functions the way back is recorded, beside the values of the outermost block.
    pub functions: Functions,
    /// Most rounds over all techniques.
    pub rounds: usize,
    /// Total effort.
    pub effort: u64,
    /// Formulas with more literals than this are returned as they are: occurrence lists would cost too much.
    pub max_literals: usize,
    /// Elimination may add this many clauses for one variable beyond those it removes.
    pub elimination_growth: usize,
    /// Expansion may let the matrix grow to this percentage of its first size; it is undone unless it pays ...
    pub expansion_growth: usize,
    /// ... and by this many literals more.
    pub expansion_bonus: usize,
}

/// Functions of variables in all blocks that the [`Reconstruction`](super::Reconstruction) can carry back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Functions {
    /// None, only values of the outermost block.
    #[default]
    None,
    /// Skolem functions, should the formula be true. Whatever makes a formula stronger keeps them, so that every
    /// technique may run; Herbrand functions come back too unless one of these steps was
    /// [taken](super::Reconstruction::keeps_herbrand).
    Skolem,
    /// Skolem and Herbrand functions; failed literals are then found by plain propagation, and techniques without a way
    /// back ([`SimplifyOptions::certifying`]) should be off.
    Both,
}

impl Default for SimplifyOptions {
    fn default() -> Self {
        SimplifyOptions {
            universal_reduction: true,
            unit_propagation: true,
            pure_literals: true,
            subsumption: true,
            equivalences: true,
            failed_literals: true,
            blocked_clauses: true,
            covered_literals: true,
            blocked_literals: true,
            elimination: true,
            expansion: true,
            dependencies: true,
            shifting: true,
            vivification: true,
            autarkies: true,
            sat_checks: true,
            functions: Functions::None,
            rounds: 50,
            effort: 250_000_000,
            max_literals: 50_000_000,
            elimination_growth: 8,
            expansion_growth: 400,
            expansion_bonus: 20_000,
        }
    }
}

impl SimplifyOptions {
    /// Every technique off.
    pub fn none() -> Self {
        let mut options = SimplifyOptions::default();
        for technique in Technique::ALL {
            options.set(technique, false);
        }
        options
    }

    /// The techniques whose effect on Skolem and Herbrand functions the [`Reconstruction`](super::Reconstruction) can
    /// undo step by step, with recording on: all but expansion and what changes the prefix.
    pub fn certifying() -> Self {
        SimplifyOptions::default().into_certifying()
    }

    /// These options without the techniques that have no way back for Herbrand functions, and with recording on.
    pub fn into_certifying(self) -> Self {
        SimplifyOptions { expansion: false, dependencies: false, shifting: false, functions: Functions::Both, ..self }
    }

    /// Whether a technique is on.
    pub fn is_on(&self, technique: Technique) -> bool {
        let mut copy = self.clone();
        *copy.switch(technique)
    }

    /// Switches a technique.
    pub fn set(&mut self, technique: Technique, on: bool) {
        *self.switch(technique) = on;
    }

    fn switch(&mut self, technique: Technique) -> &mut bool {
        match technique {
            Technique::UniversalReduction => &mut self.universal_reduction,
            Technique::UnitPropagation => &mut self.unit_propagation,
            Technique::PureLiterals => &mut self.pure_literals,
            Technique::Subsumption => &mut self.subsumption,
            Technique::Equivalences => &mut self.equivalences,
            Technique::FailedLiterals => &mut self.failed_literals,
            Technique::BlockedClauses => &mut self.blocked_clauses,
            Technique::CoveredLiterals => &mut self.covered_literals,
            Technique::BlockedLiterals => &mut self.blocked_literals,
            Technique::Elimination => &mut self.elimination,
            Technique::Expansion => &mut self.expansion,
            Technique::Dependencies => &mut self.dependencies,
            Technique::Shifting => &mut self.shifting,
            Technique::Vivification => &mut self.vivification,
            Technique::Autarkies => &mut self.autarkies,
            Technique::SatChecks => &mut self.sat_checks,
        }
    }
}

/// A technique of the simplifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Technique {
    /// See [`SimplifyOptions::universal_reduction`].
    UniversalReduction,
    /// See [`SimplifyOptions::unit_propagation`].
    UnitPropagation,
    /// See [`SimplifyOptions::pure_literals`].
    PureLiterals,
    /// See [`SimplifyOptions::subsumption`].
    Subsumption,
    /// See [`SimplifyOptions::equivalences`].
    Equivalences,
    /// See [`SimplifyOptions::failed_literals`].
    FailedLiterals,
    /// See [`SimplifyOptions::blocked_clauses`].
    BlockedClauses,
    /// See [`SimplifyOptions::covered_literals`].
    CoveredLiterals,
    /// See [`SimplifyOptions::blocked_literals`].
    BlockedLiterals,
    /// See [`SimplifyOptions::elimination`].
    Elimination,
    /// See [`SimplifyOptions::expansion`].
    Expansion,
    /// See [`SimplifyOptions::dependencies`].
    Dependencies,
    /// See [`SimplifyOptions::shifting`].
    Shifting,
    /// See [`SimplifyOptions::vivification`].
    Vivification,
    /// See [`SimplifyOptions::autarkies`].
    Autarkies,
    /// See [`SimplifyOptions::sat_checks`].
    SatChecks,
}

impl Technique {
    /// Every technique, cheapest first.
    pub const ALL: [Technique; 16] = [
        Technique::UniversalReduction,
        Technique::UnitPropagation,
        Technique::PureLiterals,
        Technique::Subsumption,
        Technique::Equivalences,
        Technique::FailedLiterals,
        Technique::BlockedClauses,
        Technique::CoveredLiterals,
        Technique::BlockedLiterals,
        Technique::Elimination,
        Technique::Expansion,
        Technique::Dependencies,
        Technique::Shifting,
        Technique::Vivification,
        Technique::Autarkies,
        Technique::SatChecks,
    ];

    /// Its name in options and statistics.
    pub fn name(self) -> &'static str {
        match self {
            Technique::UniversalReduction => "universal_reduction",
            Technique::UnitPropagation => "unit_propagation",
            Technique::PureLiterals => "pure_literals",
            Technique::Subsumption => "subsumption",
            Technique::Equivalences => "equivalences",
            Technique::FailedLiterals => "failed_literals",
            Technique::BlockedClauses => "blocked_clauses",
            Technique::CoveredLiterals => "covered_literals",
            Technique::BlockedLiterals => "blocked_literals",
            Technique::Elimination => "elimination",
            Technique::Expansion => "expansion",
            Technique::Dependencies => "dependencies",
            Technique::Shifting => "shifting",
            Technique::Vivification => "vivification",
            Technique::Autarkies => "autarkies",
            Technique::SatChecks => "sat_checks",
        }
    }

    /// The technique of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Technique::ALL.into_iter().find(|technique| technique.name() == name)
    }
}
