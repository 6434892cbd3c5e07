//! Clausal abstraction (Rabe & Tentrup, "CAQE: a certifying QBF solver", 2015; Tentrup, "On expansion and resolution in
//! CEGAR based QBF solving", 2017).
//!
//! The players move level by level. All that an inner level must know of the outer moves is which clauses they have
//! satisfied so far, that is, which *nodes* of the [clause tree](tree) are satisfied. So every level has a SAT solver over
//! its own variables and over nodes: it proposes a move, given the state of the outer nodes. When a level has no move
//! left, the assumptions that failed name the outer nodes on which this rests; they are carried outwards past the
//! winner's own move and become a clause in the loser's next outer level: **make one of these nodes favourable**.
//!
//! Facts that hold of every set of nodes that is passed outwards across the boundary before level `k`:
//! - from a win of the existential player: if all these nodes are satisfied by the moves before `k`, the existential
//!   player wins the rest;
//! - from a win of the universal player: if none of these nodes is satisfied by the moves before `k`, the universal
//!   player wins the rest.
//!
//! They make each new clause sound, and since each excludes the play that led to it, the search ends. The same facts,
//! kept with the winner's move, are the strategy from which [certificates](strategy) are made. With the reasons of the existential player's
//! wins it is a [book] of rules from which the verdict follows step by step.
//!
//! The search is a loop over a level index, not a recursion: ten thousand alternations cost no call stack.

mod book;
mod decisive;
mod expand;
mod level;
mod minimise;
mod models;
mod strategy;
mod tree;

use super::circuit::{Circuit, Needs};
use super::engine::{Answer, Missing, Pace, QbfEngine, Wish};
use super::exchange::{Exchange, Member};
use super::matrix::Matrix;
use crate::options::{AbstractionOptions, Functions};
pub(super) use book::Book;
use book::Proofs;
use decisive::Decisive;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Quantifier};
use gamesat_core::statistics::Statistics;
use gamesat_sat::Effort;
use gamesat_sat::cdcl::Step as ProofStep;
use level::{Level, Literals};
use std::sync::Arc;
use strategy::{Strategy, Win};
use tree::{ClauseTree, Node};

/// Functions of more rules are large: made only if steps will not do.
const MANY_RULES: usize = 4_000;

/// The engine: it decides every formula and gives everything.
#[derive(Clone, Debug, Default)]
pub struct Abstraction {
    /// Its switches.
    pub options: AbstractionOptions,
}

impl QbfEngine for Abstraction {
    fn name(&self) -> &'static str {
        "abstraction"
    }

    fn answers(&self, _: &Matrix, _: Wish) -> bool {
        true
    }

    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        self.solve_among(matrix, wish, &Exchange::default(), control, statistics)
    }

    fn solve_among(
        &self,
        matrix: &Matrix,
        wish: Wish,
        exchange: &Exchange,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        let mut options = self.options.clone();
        // With three levels functions can be made of the copies.
        options.copies &= wish.functions != Functions::Both || matrix.quantifiers.len() == 3;
        let mut search = Search::new(matrix, &options, wish, control);
        search.meet(exchange, wish);
        let verdict = match matrix.refutation() {
            None => search.run(),
            Some(values) => {
                search.values = values;
                Ok(false)
            }
        };
        let wants_both = wish.functions == Functions::Both;
        let from_copies = if verdict == Ok(false) && wants_both && search.copied {
            search.functions_of_copies(wish).transpose()
        } else {
            None
        };
        search.report(statistics);
        let verdict = verdict?;
        let functions = match &search.strategy {
            None => Err(Missing::Unwanted),
            Some(rules) => match from_copies {
                Some(functions) => functions.map_err(Missing::Stopped),
                None if !verdict && (search.copied || search.has_heard() || wish.one_sided) => Err(Missing::Lost),
                None if verdict && wish.small && rules.num_existential() > MANY_RULES => Err(Missing::Deferred),
                None => Ok(rules.functions(matrix, &search.tree, search.circuit.as_ref().map(|(it, _)| it), verdict)),
            },
        };
        let outer_model = if wish.outer_model { matrix.outer_model(verdict, &search.values) } else { Vec::new() };
        let plays = if verdict { Vec::new() } else { std::mem::take(&mut search.plays) };
        let book = if verdict { search.into_book().map(Arc::new) } else { None };
        Ok(Answer { plays, book, ..Answer::new(verdict, outer_model, functions) })
    }
}

struct Search<'a> {
    options: &'a AbstractionOptions,
    control: &'a Control,
    matrix: &'a Matrix,
    tree: ClauseTree,
    levels: Vec<Level>,
    literals: Literals,
    /// The play: a value for every variable. Beyond the current level these are the values to try first.
    values: Vec<bool>,
    /// Whether each node is satisfied by the play up to its level.
    satisfied: Vec<bool>,
    /// Wins, with their reasons, if a certificate is wanted.
    strategy: Option<Strategy>,
    /// The literals on which the last win rests, if that of the outermost level is wanted.
    first_move: Vec<Lit>,
    wants_first_move: bool,
    /// Scratch: nodes already collected in the set under construction.
    marked: Vec<bool>,
    /// Whether nobody wants rules of the universal player.
    one_sided: bool,
    /// The step of the last clause about moves that a universal level does not have, in the proof of that level.
    failed_step: Option<ProofStep>,
    assumptions: Vec<Lit>,
    /// What a win at the innermost level needs, if that is wanted.
    circuit: Option<(Circuit, Needs)>,
    expanded_lits: usize,
    /// Whether copies are made, and whether some level knows of any.
    copies: bool,
    copied: bool,
    /// By rule of the last universal level: the whole move that was copied, if it was. Only kept with the rules.
    copied_moves: Vec<Vec<Lit>>,
    /// What the universal player did whenever a move was copied, in the variables of the formula.
    plays: Vec<Vec<Lit>>,
    /// Whether the innermost level's inputs are preferences instead of assumptions.
    prefers: bool,
    /// Others at work on the same formula.
    member: Option<Member>,
    counters: Counters,
}

#[derive(Default)]
struct Counters {
    calls: u64,
    refinements: u64,
    winning_nodes: u64,
    expansions: u64,
    /// Reasons that could have been made smaller.
    minimise_chances: u64,
    minimise_calls: u64,
    /// Calls that made a reason smaller.
    minimise_dropped: u64,
    /// Nodes of the reasons that were tried, and how many of them went.
    minimise_tried: u64,
    minimise_lost: u64,
    reason_nodes: u64,
    minimised_nodes: u64,
}

/// Where the search goes next.
enum Step {
    /// Solve this level.
    Level(usize),
    /// The play is over and this is the verdict.
    Done(bool),
}

impl<'a> Search<'a> {
    fn new(matrix: &'a Matrix, options: &'a AbstractionOptions, wish: Wish, control: &'a Control) -> Self {
        let tree = ClauseTree::new(&matrix.clauses, &matrix.level_of, matrix.quantifiers.len());
        // Steps may be wanted instead of functions.
        let proves = wish.functions != Functions::None && wish.small;
        let mut search = Search {
            options,
            control,
            matrix,
            levels: matrix
                .quantifiers
                .iter()
                .map(|&quantifier| Level::new(quantifier, options.backend, proves))
                .collect(),
            literals: Literals { of_var: vec![None; matrix.level_of.len()], of_node: vec![None; tree.len()] },
            values: matrix.good_values(),
            satisfied: vec![false; tree.len()],
            strategy: (wish.functions != Functions::None).then(|| Strategy::new(matrix)),
            first_move: Vec::new(),
            wants_first_move: false,
            marked: vec![false; tree.len()],
            one_sided: wish.one_sided,
            failed_step: None,
            assumptions: Vec::new(),
            circuit: (options.circuits && matrix.quantifiers.len() > 1)
                .then(|| (Circuit::beyond(matrix.quantifiers.len() - 2, matrix), Needs::new(matrix.level_of.len()))),
            expanded_lits: 0,
            copies: options.copies,
            copied: false,
            copied_moves: Vec::new(),
            plays: Vec::new(),
            prefers: false,
            member: None,
            counters: Counters::default(),
            tree,
        };
        search.add_ends(0..search.levels.len());
        search.prefer_own_means();
        search
    }

    /// At the innermost level: satisfy clauses by the level's own variables where possible, so that a win rests on few
    /// outer nodes. Their literals are left to the solver then, which tries to do without.
    fn prefer_own_means(&mut self) {
        let Some(level) = self.levels.last_mut() else { return };
        self.prefers = level.solver.capabilities().preferences && self.options.own_means;
        if self.prefers {
            level.inputs.iter().for_each(|&(_, lit)| level.solver.decide_first(!lit));
        }
    }

    /// Clauses that end at one of these levels must be satisfied there or before.
    fn add_ends(&mut self, levels: std::ops::Range<usize>) {
        let mut clause = Vec::new();
        for index in 0..self.tree.len() {
            let node = self.tree.node(index);
            if !self.tree.is_end(node) || !levels.contains(&self.tree.level(node)) {
                continue;
            }
            let level = &mut self.levels[self.tree.level(node)];
            clause.clear();
            for &lit in self.tree.lits(node) {
                clause.push(level.own(lit, &mut self.literals, &self.values));
            }
            if let Some(parent) = self.tree.parent(node) {
                clause.push(level.input(parent, &self.tree));
            }
            level.solver.add_clause(&clause);
        }
    }

    fn run(&mut self) -> Result<bool, StopReason> {
        let mut poller = self.control.poller();
        let mut pace = Pace::default();
        let mut step = if self.levels.is_empty() { Step::Done(true) } else { Step::Level(0) };
        loop {
            let k = match step {
                Step::Level(k) => k,
                Step::Done(verdict) => return Ok(verdict),
            };
            poller.poll(self.counters.calls)?;
            if pace.is_due(self.counters.calls, self.control) {
                self.log();
            }
            step = if self.propose(k)? {
                self.play(k);
                if k + 1 < self.levels.len() {
                    Step::Level(k + 1)
                } else {
                    // The innermost level is existential and every clause is satisfied.
                    self.win(k, Vec::new())
                }
            } else {
                let reason = self.reason(k)?;
                if k == 0 {
                    Step::Done(self.levels[0].quantifier == Quantifier::Forall)
                } else {
                    self.win(k - 1, reason)
                }
            };
        }
    }

    /// The rules of the existential player, with what the universal levels know about them.
    fn into_book(self) -> Option<Book> {
        let Search { strategy, tree, circuit, levels, matrix, failed_step, .. } = self;
        let outermost = levels.first().filter(|level| level.quantifier == Quantifier::Forall).and(failed_step);
        let proofs = levels.into_iter().map(Level::into_proof).collect();
        Some(Book::new(matrix, strategy?, tree, circuit.map(|(it, _)| it), Proofs { levels: proofs, outermost }))
    }

    /// Takes part in an exchange, if its clauses are of any use here: no rule of the universal player can be made of them. With up to three levels
    /// a refutation by expansion can take the place of those rules.
    fn meet(&mut self, exchange: &Exchange, wish: Wish) {
        let needs_no_rules = wish.one_sided || (wish.small && self.levels.len() <= 3);
        let listens = wish.functions == Functions::None || needs_no_rules;
        if listens && self.levels.first().is_some_and(|level| level.quantifier == Quantifier::Exists) {
            self.member = exchange.join();
        }
    }

    /// Whether the outermost level knows something from others.
    fn has_heard(&self) -> bool {
        self.member.as_ref().is_some_and(|member| member.heard > 0)
    }

    /// Teaches the outermost level what others have found out.
    fn hear(&mut self) {
        let Search { member: Some(member), levels, literals, values, .. } = self else { return };
        let level = &mut levels[0];
        member.hear(|clause| {
            let clause: Vec<Lit> = clause.iter().map(|&lit| level.own(lit, literals, values)).collect();
            level.solver.add_clause(&clause);
        });
    }

    /// Asks the level's solver for a move. Leaves the assumptions in `self.assumptions`.
    fn propose(&mut self, k: usize) -> Result<bool, StopReason> {
        self.counters.calls += 1;
        if k == 0 {
            self.hear();
        }
        let prefers = k + 1 == self.levels.len() && self.prefers;
        let level = &mut self.levels[k];
        self.assumptions.clear();
        for &(node, lit) in &level.inputs {
            let favourable = self.satisfied[node.index()] == (level.quantifier == Quantifier::Exists);
            if !favourable {
                self.assumptions.push(!lit);
            } else if !prefers {
                self.assumptions.push(lit);
            }
        }
        level.solver.solve(&self.assumptions, self.control)
    }

    /// Makes the move that the level's solver found.
    fn play(&mut self, k: usize) {
        let level = &self.levels[k];
        for &(var, theirs) in &level.known {
            self.values[var.index()] = level.solver.value(theirs.positive());
        }
        for &node in self.tree.at_level(k) {
            let outside = self.tree.parent(node).is_some_and(|parent| self.satisfied[parent.index()]);
            self.satisfied[node.index()] = outside || is_true(self.tree.lits(node), &self.values);
        }
    }

    /// The nodes before level `k` on which it rests that the level has no move.
    fn reason(&mut self, k: usize) -> Result<Vec<Node>, StopReason> {
        let solver = &self.levels[k].solver;
        self.failed_step = solver.failed_clause();
        let mut core = solver.failed().to_vec();
        self.counters.reason_nodes += core.len() as u64;
        self.minimise(k, &mut core)?;
        self.counters.minimised_nodes += core.len() as u64;
        let level = &self.levels[k];
        Ok(core.iter().map(|lit| level.node_of[&lit.var()]).collect())
    }

    /// The owner of level `k` wins by the move it made, because of the nodes at level `k` or before. Carries the reason
    /// past the move and teaches it to the loser's next outer level.
    fn win(&mut self, k: usize, reason: Vec<Node>) -> Step {
        let winner = self.levels[k].quantifier;
        let outer_reason = if k + 1 == self.levels.len() { self.carry_innermost() } else { self.carry(k, &reason) };
        self.counters.winning_nodes += outer_reason.len() as u64;
        if let Some(strategy) = self.strategy.as_mut().filter(|_| winner == Quantifier::Exists || !self.one_sided) {
            let picks = match &self.circuit {
                Some((_, needs)) if k + 1 == self.levels.len() => Some(needs.picked()),
                _ => None,
            };
            let step = self.failed_step.filter(|_| winner == Quantifier::Exists && k + 1 < self.levels.len());
            strategy.add(k, &Win { condition: &outer_reason, reason: &reason, picks, step }, &self.values);
        }
        if k == 0 && self.wants_first_move {
            self.first_move = match &self.circuit {
                Some((_, needs)) if self.levels.len() == 1 => needs.picked().to_vec(),
                _ => self.decisive_moves(k, &reason),
            };
        }
        if k == 0 {
            return Step::Done(winner == Quantifier::Exists);
        }
        self.refine(k - 1, &outer_reason);
        if winner == Quantifier::Forall && k + 2 == self.levels.len() {
            self.expand(k - 1);
        }
        Step::Level(k - 1)
    }

    /// What a win of the innermost level rests on before it.
    fn carry_innermost(&mut self) -> Vec<Node> {
        let Some((circuit, needs)) = &mut self.circuit else { return self.carry(self.levels.len() - 1, &[]) };
        let (tree, values) = (&self.tree, &self.values);
        let parent = |clause: u32| tree.end_of(clause as usize).and_then(|node| tree.parent(node));
        let mut carried = Carried { nodes: Vec::new(), marked: &mut self.marked };
        needs.justify(
            circuit,
            &self.matrix.clauses,
            |lit| values[lit.var().index()] == lit.is_positive(),
            &mut carried,
            |carried, clause| parent(clause).is_some_and(|node| carried.marked[node.index()]),
            |carried, clause| {
                let node = parent(clause);
                debug_assert!(node.is_some_and(|node| self.satisfied[node.index()]), "a clause fails unnoticed");
                carried.nodes.extend(node);
                node.iter().for_each(|node| carried.marked[node.index()] = true);
            },
        );
        let Carried { nodes, marked } = carried;
        nodes.iter().for_each(|node| marked[node.index()] = false);
        nodes
    }

    /// What a reason that speaks of level `k` means before that level, given its owner's move: satisfied nodes must be
    /// satisfied by the move or before it; unsatisfied ones have only literals that the move makes false.
    fn carry(&mut self, k: usize, reason: &[Node]) -> Vec<Node> {
        let existential = self.levels[k].quantifier == Quantifier::Exists;
        let ends = if existential { self.tree.ends_at(k) } else { &[] };
        let mut carried = Vec::new();
        for &node in reason.iter().chain(ends) {
            let outer = if self.tree.level(node) < k {
                Some(node)
            } else if existential && is_true(self.tree.lits(node), &self.values) {
                None
            } else {
                self.tree.parent(node)
            };
            if let Some(outer) = outer.filter(|outer| !self.marked[outer.index()]) {
                self.marked[outer.index()] = true;
                carried.push(outer);
            }
        }
        carried.iter().for_each(|node| self.marked[node.index()] = false);
        carried
    }

    /// The literals of the owner's move at level `k` on which it [rests](decisive) that a reason can be [carried](Self::carry) past it.
    fn decisive_moves(&self, k: usize, reason: &[Node]) -> Vec<Lit> {
        let (mut decisive, mut moves) = (Decisive::new(self.values.len()), Vec::new());
        decisive.values.clone_from(&self.values);
        match self.levels[k].quantifier {
            Quantifier::Forall => decisive.of_universal(&self.tree, k, reason, &mut moves),
            Quantifier::Exists => decisive.of_existential(&self.tree, k, reason, &mut moves),
        }
        moves
    }

    /// Teaches a level: one of these nodes, of its own or further out, must become favourable.
    fn refine(&mut self, k: usize, nodes: &[Node]) {
        self.counters.refinements += 1;
        if let (0, Some(member)) = (k, &mut self.member) {
            // Each of the nodes is a clause of what comes first; one of them must be satisfied.
            member.tell(nodes.iter().flat_map(|&node| self.tree.lits(node)).copied());
        }
        let clause: Vec<Lit> = nodes.iter().map(|&node| self.favourable(k, node)).collect();
        let rules = self.strategy.as_ref().map_or(0, |strategy| strategy.len(k + 1));
        self.levels[k].add_rule(&clause, rules);
    }

    /// The literal at level `k` that is true only if the node is favourable to the level's owner.
    fn favourable(&mut self, k: usize, node: Node) -> Lit {
        let level = &mut self.levels[k];
        if self.tree.level(node) == k {
            level.output(node, &self.tree, &mut self.literals, &self.values)
        } else {
            level.input(node, &self.tree)
        }
    }

    /// Work of all levels' solvers together.
    fn effort(&self) -> Effort {
        self.levels.iter().map(|level| level.solver.effort()).fold(Effort::default(), Effort::plus)
    }

    fn log(&self) {
        self.control.log(|| {
            let Counters { calls, refinements, expansions, .. } = self.counters;
            let Effort { conflicts, restarts, .. } = self.effort();
            let seconds = self.control.elapsed().as_secs_f64();
            format!(
                "abstraction {refinements:>9} refinements {expansions:>7} copies {calls:>9} SAT calls {conflicts:>9} \
                 conflicts {restarts:>7} restarts {seconds:>7.2} s"
            )
        });
    }

    fn report(&self, statistics: &mut Statistics) {
        self.log();
        statistics.add("levels", self.levels.len() as u64);
        statistics.add("nodes", self.tree.len() as u64);
        statistics.add("sat_calls", self.counters.calls);
        let effort = self.effort();
        statistics.add("sat_conflicts", effort.conflicts);
        statistics.add("sat_restarts", effort.restarts);
        statistics.add("refinements", self.counters.refinements);
        if let Some(member) = &self.member {
            statistics.add("told_by_abstraction", member.told);
            statistics.add("heard_by_abstraction", member.heard);
        }
        statistics.add("winning_nodes", self.counters.winning_nodes);
        statistics.add("expansions", self.counters.expansions);
        statistics.add("expanded_literals", self.expanded_lits as u64);
        if let Some((circuit, _)) = &self.circuit {
            statistics.add("asserted_clauses", circuit.num_asserted() as u64);
        }
        statistics.add("minimise_calls", self.counters.minimise_calls);
        statistics.add("reason_nodes", self.counters.reason_nodes);
        statistics.add("minimised_nodes", self.counters.minimised_nodes);
    }
}

/// Nodes on which a win rests.
struct Carried<'a> {
    nodes: Vec<Node>,
    marked: &'a mut [bool],
}

fn is_true(lits: &[Lit], values: &[bool]) -> bool {
    lits.iter().any(|lit| values[lit.var().index()] == lit.is_positive())
}
