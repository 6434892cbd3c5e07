//! Every switch of every engine, declared once: field, default, name, description.
//!
//! Techniques have names; whoever runs the library from a command line makes flags of them, and tests iterate over them.
//! No technique changes an answer, so every subset is allowed. A new technique is one line in one of the tables below.

pub use crate::sat::Backend;

/// A technique as its table lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Technique {
    /// Its name, words joined by underscores.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Whether it is used unless someone says otherwise.
    pub default: bool,
}

/// Declares a struct of options: switches, each with its default and a line about it, and settings that are no switches.
macro_rules! options {
    (
        $(#[$outer:meta])*
        $name:ident {
            $( $switch:ident: $default:literal, $about:literal; )*
        }
        settings {
            $( $(#[$inner:meta])* $setting:ident: $type:ty = $value:expr; )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $( #[doc = $about] pub $switch: bool, )*
            $( $(#[$inner])* pub $setting: $type, )*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $( $switch: $default, )* $( $setting: $value, )* }
            }
        }

        impl $name {
            /// Every switch, in the order of the table.
            pub const TECHNIQUES: &'static [Technique] =
                &[ $( Technique { name: stringify!($switch), about: $about, default: $default }, )* ];

            /// Every technique off, all settings as usual.
            pub fn none() -> Self {
                $name { $( $switch: false, )* ..$name::default() }
            }

            /// Whether the technique of this name is on; `None` if there is none of this name.
            pub fn get(&self, name: &str) -> Option<bool> {
                match name {
                    $( stringify!($switch) => Some(self.$switch), )*
                    _ => None,
                }
            }

            /// Switches the technique of this name; false if there is none of this name.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $( stringify!($switch) => self.$switch = on, )*
                    _ => return false,
                }
                true
            }
        }
    };
}

options! {
    /// Switches and sizes of the set colouring engine.
    GameOptions {
        units: true, "Rows of one element: win at once, or be forced to answer";
        rational: true, "Of a monotone element try only the rational colour";
        dead: true, "Forget elements on which the formula does not depend";
        capture: true, "Fill in sets that a player has captured";
        domination: true, "Skip moves that are dominated by another one";
        mustplay: true, "Skip moves outside the mustplay that the traces of refuted moves leave";
        pairing: true, "Find pairing strategies";
        potential: true, "Recognise positions that are won by taking the heaviest element each time";
        decompose: true, "Solve independent parts of the formula on their own";
        symmetry: true, "Identify positions that a symmetry of the formula maps onto each other";
        order: true, "Order moves by the weight of their rows instead of by number";
        history: true, "Let moves that won elsewhere in the search come earlier";
        both_forms: true, "Keep CNF and DNF where both are affordable";
    }
    settings {
        /// Elements of a set that is looked at for capture, 2 to 6.
        capture_size: usize = 2;
        /// Elements of an independent part of a game that is not isotone up to which its canonical form is tabulated, up to
        /// 12; larger parts are solved.
        part_size: usize = 10;
        /// Control the search by proof numbers instead of alpha-beta.
        proof_number: bool = false;
        /// Size of the transposition table in MiB; 0 for none.
        table: usize = 256;
        /// Number of threads; more than one makes everything but the verdict depend on chance.
        threads: usize = 1;
    }
}

options! {
    /// Switches and sizes of the graph engine for vertex games.
    GraphOptions {
        dual_graph: true, "Give Cut a graph of its own where the board is planar";
        dead_cells: true, "Fill cells that lie on no induced path between the terminals";
        captured_pairs: true, "Fill pairs of cells that kill each other for a player";
        killed_cells: true, "Skip cells that another cell kills";
        capturing_moves: true, "Skip cells that another move captures";
        connections: true, "Find virtual connections: wins, losses and a mustplay without search";
        captured_carriers: true, "Let carriers of connections meet in captured cells";
        near_misses: true, "Where a connection lacks little, let the opponent try the few moves that count";
        cut_stones: true, "Solve the parts on either side of a chain that all ways lead through on their own";
        refuted_traces: true, "Skip moves outside the trace of a refuted one";
        resistance: true, "Order moves by the current through their cells";
        symmetric_positions: true, "Identify positions that a symmetry of the board maps onto each other, in vertex games";
        symmetric_moves: true, "Of moves that a symmetry maps onto each other solve one, when all moves are asked for";
        inherited_order: true, "Take the mover's currents from the position before instead of building connections anew";
    }
    settings {
        /// Of the moves that are left this percentage, and one, are looked at for a win.
        widening: usize = 15;
        /// Size of the graph engine's table in MiB.
        graph_table: usize = 1024;
        /// Number of threads; more than one makes everything but the verdict depend on chance.
        graph_threads: usize = 1;
    }
}

options! {
    /// The techniques of the QBF simplifier, each with its switch, and the bounds they work under.
    ///
    /// Every technique is sound alone and in every combination, so any subset may be chosen. Work is counted in *effort*,
    /// roughly one unit per literal looked at, so that results repeat from run to run on any machine; time only counts if
    /// the [`Control`](crate::control::Control) limits it.
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

options! {
    /// Switches and sizes of the search of games with an order.
    SequentialOptions {
        rule_bounds: true, "Let the rules of a game prove bounds and leave out hopeless moves";
        seen_positions: true, "Remember positions of games with an order";
        mirror_images: true, "Identify positions that a symmetry of the board maps onto each other, or whose graphs are the same";
        value_parity: true, "Draw bounds together to values that the game can have";
        seen_replies: true, "Look up the positions behind all moves before entering one of them";
        seen_moves: true, "Try the move first that was best when the position was seen before";
        rule_order: true, "Order moves by what the rules of the game think of them";
        move_history: true, "Let moves come earlier that were enough elsewhere";
        narrow_windows: true, "Find values by questions with two answers instead of one wide window";
        deepening: true, "Look one ply ahead, then two and so on, where the depth is limited";
    }
    settings {
        /// Size of the table of games with an order in MiB.
        sequential_table: usize = 256;
        /// Replies are looked up once a question has taken so many nodes: it is not worth it for easy ones.
        replies_from: u64 = 1 << 14;
        /// How many plies to look ahead in games with an order; to their end if nothing is said.
        look_ahead: Option<u8> = None;
        /// Solutions of a puzzle are counted up to so many.
        solutions: usize = 2;
    }
}

/// Every table of techniques, one for each part of the house.
pub fn tables() -> &'static [&'static [Technique]] {
    &[
        GameOptions::TECHNIQUES,
        GraphOptions::TECHNIQUES,
        SimplifyOptions::TECHNIQUES,
        AbstractionOptions::TECHNIQUES,
        QcdclOptions::TECHNIQUES,
        PortfolioOptions::TECHNIQUES,
        SequentialOptions::TECHNIQUES,
    ]
}

/// What shall show the verdict on a quantified formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certificate {
    /// The winner's functions; or, where these are large or hard to find, [steps](Certificate::Steps).
    #[default]
    Any,
    /// The winner's functions.
    Functions,
    /// Of a false formula a [refutation](crate::formula::Refutation) and of a true one a [confirmation](crate::formula::Confirmation), if one
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

impl GameOptions {
    /// Everything off and no table: plain alpha-beta.
    pub fn plain() -> Self {
        GameOptions { table: 0, ..GameOptions::none() }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_found_by_name() {
        let mut options = GameOptions::default();
        for technique in GameOptions::TECHNIQUES {
            assert_eq!(options.get(technique.name), Some(technique.default));
            assert!(options.set(technique.name, false));
        }
        assert_eq!(options, GameOptions::none());
        assert!(!options.set("magic", true));
        assert_eq!(options.get("magic"), None);
    }

    #[test]
    fn no_name_stands_in_two_tables() {
        let names: Vec<&str> = tables().iter().copied().flatten().map(|technique| technique.name).collect();
        let mut different = names.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), names.len());
    }
}
