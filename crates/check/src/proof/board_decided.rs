//! Do some stones decide a board, whatever becomes of the rest? Asked for every leaf of a strategy, and judged on the goal
//! itself: no list of winning sets is made.
//!
//! What is given is a set of stones, and disjoint pairs of free elements of which the winner gets one each. A *completion*
//! gives every other element to somebody. Two cases:
//! - *The winner has a goal of its own.* It is decided iff no completion leaves the goal unreached. For sets that is a clause
//!   each. For a connection: variables that say "reached from this terminal" must hold next to the terminal and pass on
//!   along what the winner owns; the least such assignment is what is really reached, so there is one that avoids the other
//!   terminals iff they are not joined. With three terminals two such closures must not meet at the third.
//! - *The winner only prevents the other's goal.* It is decided iff no completion reaches that. A set can be completed iff
//!   nothing of it, and no pair inside it, is the winner's. A path is sought by degrees: one step at each terminal, two or
//!   none elsewhere. Walking from the one terminal one must arrive at the other, since nothing else ends; cycles apart from
//!   that walk do no harm; and a shortest path has these degrees, so none is missed. Of three terminals there must be one
//!   vertex with such a path to each of them.
//!
//! Without pairs both are settled by looking: the rest goes to the opponent. The SAT solver of the other questions is one
//! that no engine uses by default.

use super::autotree::Planted;
use super::judge::Judge;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Player, Var};
use gamesat_core::graph::Graph;
use gamesat_core::rules::{Board, Goal, Side};
use rustc_hash::FxHashMap;

/// A board as one of its sides sees it. The game must be played until the board is full and be no race.
pub(super) struct BoardDecided {
    /// Who owns the stones; terminals and whatever else nobody takes are not free and have no owner.
    stones: Vec<Option<Side>>,
    free: Vec<bool>,
    winner: Side,
    /// Which side TRUE is.
    max: Side,
    /// What the winner wants, or else what it wants to prevent.
    goal: Goal,
    has_goal: bool,
    judge: Judge,
    solver: Option<Solver>,
}

/// What is known of an element in a question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// It is this side's.
    Owner(Side),
    /// The winner gets it or its partner in a pair.
    Paired,
    /// Nothing.
    Open,
}

impl BoardDecided {
    /// Prepares to judge what decides the board for a player.
    ///
    /// # Errors
    /// A bounded game or a race, in which a full board is not what counts.
    pub(super) fn new(board: &Board, winner: Player, judge: Judge) -> Result<Self, StopReason> {
        let unsupported = |why: &str| StopReason::Unsupported(why.to_owned());
        if board.schedule.is_some() || board.is_race() {
            return Err(unsupported("strategies are for games that are played until the board is full"));
        }
        let winner = if winner == Player::Max { board.max } else { !board.max };
        let own = board.goal(winner);
        let has_goal = own.is_some();
        let goal = own.or_else(|| board.goal(!winner)).ok_or_else(|| unsupported("neither side has a goal"))?.clone();
        Ok(BoardDecided {
            stones: board.stones().to_vec(),
            free: (0..board.elements()).map(|element| board.is_free(element)).collect(),
            winner,
            max: board.max,
            goal,
            has_goal,
            judge,
            solver: None,
        })
    }

    /// Whether the winner wins in every completion in which `holds` are true, TRUE being MAX's, and of each two neighbours
    /// in `pairs` at least one. Elements that are named twice, and colours that the position contradicts, decide nothing.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub(super) fn by(&mut self, holds: &[Lit], pairs: &[Lit], control: &Control) -> Result<bool, StopReason> {
        let owner = |lit: Lit| if lit.is_positive() { self.max } else { !self.max };
        let mut known: Vec<Known> = self.stones.iter().map(|stone| stone.map_or(Known::Open, Known::Owner)).collect();
        let mut named = vec![false; known.len()];
        for lit in holds.iter().chain(pairs) {
            match named.get_mut(lit.var().index()) {
                Some(named) if !*named => *named = true,
                _ => return Ok(false),
            }
        }
        for &lit in holds {
            let element = lit.var().index();
            match known[element] {
                Known::Owner(side) if side != owner(lit) => return Ok(false),
                _ => known[element] = Known::Owner(owner(lit)),
            }
        }
        // A pair says something about the winner only if both of its elements are free and would be the winner's; where one
        // would be the opponent's, that one may be the true one, and the other is open.
        let mut chosen: Vec<[usize; 2]> = Vec::new();
        for pair in pairs.chunks_exact(2) {
            let elements = [pair[0], pair[1]].map(|lit| lit.var().index());
            if pair.iter().all(|&lit| owner(lit) == self.winner) && elements.iter().all(|&e| self.free[e]) {
                chosen.push(elements);
                elements.iter().for_each(|&element| known[element] = Known::Paired);
            }
        }
        let (winner, loser) = (self.winner, !self.winner);
        let is = |element: usize, state: Known| known[element] == state;
        if self.has_goal {
            if self.goal.is_reached(|element| is(element, Known::Owner(winner))) {
                return Ok(true);
            }
            if !self.goal.is_reached(|element| is(element, Known::Owner(winner)) || is(element, Known::Paired)) {
                return Ok(false);
            }
        } else {
            if !self.goal.is_reached(|element| !is(element, Known::Owner(winner))) {
                return Ok(true);
            }
            if self.goal.is_reached(|element| is(element, Known::Open) || is(element, Known::Owner(loser))) {
                return Ok(false);
            }
            if let Goal::Sets(sets) = &self.goal {
                let inside = |set: &[usize], pair: &[usize; 2]| pair.iter().all(|element| set.contains(element));
                let blocked = |set: &Vec<usize>| {
                    set.iter().any(|&element| is(element, Known::Owner(winner)))
                        || chosen.iter().any(|pair| inside(set, pair))
                };
                return Ok(sets.iter().all(blocked));
            }
        }
        let solver = match &mut self.solver {
            Some(solver) => solver,
            None => self.solver.insert(Solver::new(&self.goal, self.has_goal, known.len(), self.judge)?),
        };
        solver.refutes(&known, winner, &chosen, control).map(|counterexample| !counterexample)
    }
}

impl BoardDecided {
    /// Whether the winner wins in every completion of every pick of a tree, whose moves are the winner's.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub(super) fn by_tree(&mut self, tree: &Planted<'_>, control: &Control) -> Result<bool, StopReason> {
        let known: Vec<Known> = self.stones.iter().map(|stone| stone.map_or(Known::Open, Known::Owner)).collect();
        let mut solver = Solver::new(&self.goal, self.has_goal, known.len(), self.judge)?;
        let Solver { backend, mine, .. } = &mut solver;
        tree.constrain(&mut **backend, |backend, lit| {
            Some(*mine[lit.var().index()].get_or_insert_with(|| backend.new_var().positive()))
        });
        solver.refutes(&known, self.winner, &[], control).map(|counterexample| !counterexample)
    }
}

impl BoardDecided {
    /// A SAT solver with the completions that the winner does not win, and for every element that is free what is true if
    /// its colour is TRUE. Clauses about those may be added.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn not_won(&self) -> Result<Coloured, StopReason> {
        let mut solver = Solver::new(&self.goal, self.has_goal, self.stones.len(), self.judge)?;
        let mut colours = FxHashMap::default();
        for element in 0..self.stones.len() {
            let mine = solver.mine[element];
            if self.free[element] {
                let owned = solver.variable();
                // More of the winner's leaves fewer completions, so it is enough that what the winner owns counts.
                mine.iter().for_each(|&mine| solver.backend.add_clause(&[!owned, mine]));
                let is_max = self.winner == self.max;
                colours.insert(Var::from_index(element), if is_max { owned } else { !owned });
            } else if let (Some(mine), true) = (mine, self.stones[element] == Some(self.winner)) {
                solver.backend.add_clause(&[mine]);
            }
        }
        Ok((solver.backend, colours))
    }
}

/// A SAT solver, and for elements what is true if their colour is TRUE.
pub(super) type Coloured = (Box<dyn SatSolver>, FxHashMap<Var, Lit>);

/// Clauses that hold in exactly the completions that the winner does not win.
struct Solver {
    backend: Box<dyn SatSolver>,
    /// For every element, what is true if the winner owns it. `None` if it does not matter who does.
    mine: Vec<Option<Lit>>,
    /// Whether a false literal says that the opponent owns the element, not only that it may.
    exact: bool,
    /// For every pair that was asked about, the literal that switches it on.
    switches: FxHashMap<[usize; 2], Lit>,
}

impl Solver {
    fn new(goal: &Goal, has_goal: bool, elements: usize, judge: Judge) -> Result<Self, StopReason> {
        let mut solver = Solver {
            backend: judge.incremental(),
            mine: vec![None; elements],
            exact: has_goal,
            switches: FxHashMap::default(),
        };
        match (goal, has_goal) {
            (Goal::Sets(sets), true) => solver.no_set(sets),
            (Goal::Sets(sets), false) => solver.some_set(sets),
            (Goal::Vertices { graph, terminals }, true) => solver.not_joined(graph, terminals),
            (Goal::Edges { graph, terminals }, true) => solver.not_joined_by_edges(graph, *terminals),
            (Goal::Edges { graph, terminals }, false) => solver.path_of_edges(graph, *terminals),
            (Goal::Vertices { graph, terminals }, false) => match terminals[..] {
                [s, t] => solver.path_of_vertices(graph, [s, t]),
                _ => solver.spider_of_vertices(graph, terminals),
            },
        }
        Ok(solver)
    }

    fn variable(&mut self) -> Lit {
        self.backend.new_var().positive()
    }

    /// The literal that says that the winner owns an element.
    fn owns(&mut self, element: usize) -> Lit {
        match self.mine[element] {
            Some(lit) => lit,
            None => {
                let lit = self.variable();
                self.mine[element] = Some(lit);
                lit
            }
        }
    }

    /// The opponent has an element of every set.
    fn no_set(&mut self, sets: &[Vec<usize>]) {
        for set in sets {
            let clause: Vec<Lit> = set.iter().map(|&element| !self.owns(element)).collect();
            self.backend.add_clause(&clause);
        }
    }

    /// The opponent has all of some set: what is outside it may be the winner's.
    fn some_set(&mut self, sets: &[Vec<usize>]) {
        let mut one: Vec<Lit> = Vec::with_capacity(sets.len());
        for set in sets {
            let chosen = self.variable();
            for &element in set {
                let mine = self.owns(element);
                self.backend.add_clause(&[!chosen, !mine]);
            }
            one.push(chosen);
        }
        self.backend.add_clause(&one);
    }

    /// No chain of the winner's vertices touches all terminals.
    fn not_joined(&mut self, graph: &Graph, terminals: &[usize]) {
        let adjacency = graph.adjacency();
        let conducts = |vertex: usize| vertex < self.mine.len() && !terminals.contains(&vertex);
        let vertices: Vec<usize> = (0..graph.vertices()).filter(|&vertex| conducts(vertex)).collect();
        let Some((&last, others)) = terminals.split_last() else { return };
        let is_next = |vertex: usize, to: usize| adjacency.of(vertex).iter().any(|&(other, _)| other as usize == to);
        if others.len() == 1 && is_next(others[0], last) {
            self.backend.add_clause(&[]);
        }
        // One closure for every terminal but the last.
        let mut reached: Vec<FxHashMap<usize, Lit>> = Vec::new();
        for &terminal in others {
            let closure: FxHashMap<usize, Lit> = vertices.iter().map(|&vertex| (vertex, self.variable())).collect();
            for &vertex in &vertices {
                let mine = self.owns(vertex);
                for &(to, _) in adjacency.of(vertex) {
                    let to = to as usize;
                    if to == terminal {
                        self.backend.add_clause(&[!mine, closure[&vertex]]);
                    } else if let Some(&near) = closure.get(&to) {
                        self.backend.add_clause(&[!mine, !near, closure[&vertex]]);
                    }
                }
            }
            reached.push(closure);
        }
        for &vertex in vertices.iter().filter(|&&vertex| is_next(vertex, last)) {
            let mut clause = vec![!self.owns(vertex)];
            clause.extend(reached.iter().map(|closure| !closure[&vertex]));
            self.backend.add_clause(&clause);
        }
    }

    /// The winner's edges do not join the terminals.
    fn not_joined_by_edges(&mut self, graph: &Graph, [s, t]: [usize; 2]) {
        let reached: Vec<Lit> = (0..graph.vertices()).map(|_| self.variable()).collect();
        for (edge, &(u, v)) in graph.edges().iter().enumerate() {
            let mine = self.owns(edge);
            let (u, v) = (reached[u as usize], reached[v as usize]);
            self.backend.add_clause(&[!mine, !u, v]);
            self.backend.add_clause(&[!mine, !v, u]);
        }
        self.backend.add_clause(&[reached[s]]);
        self.backend.add_clause(&[!reached[t]]);
    }

    /// The opponent has a path of vertices: what is not on it may be the winner's.
    fn path_of_vertices(&mut self, graph: &Graph, [s, t]: [usize; 2]) {
        let adjacency = graph.adjacency();
        let elements = self.mine.len();
        let is_end = |vertex: usize| vertex == s || vertex == t;
        let conducts = |vertex: usize| vertex < elements && !is_end(vertex);
        let yes = self.variable();
        self.backend.add_clause(&[yes]);
        for vertex in (0..graph.vertices()).filter(|&vertex| is_end(vertex) || conducts(vertex)) {
            let mut near: Vec<usize> = adjacency.of(vertex).iter().map(|&(to, _)| to as usize).collect();
            near.retain(|&to| to != vertex && (is_end(to) || conducts(to)));
            near.sort_unstable();
            near.dedup();
            let steps: Vec<Lit> = near.iter().map(|&to| if is_end(to) { yes } else { !self.owns(to) }).collect();
            if is_end(vertex) {
                self.exactly(yes, 1, &steps);
            } else {
                let here = !self.owns(vertex);
                self.exactly(here, 2, &steps);
            }
        }
    }

    /// The opponent has a path of vertices from one and the same vertex to each terminal: what is on none of them may be the
    /// winner's.
    fn spider_of_vertices(&mut self, graph: &Graph, terminals: &[usize]) {
        let adjacency = graph.adjacency();
        let conducts = |vertex: usize| !terminals.contains(&vertex);
        let vertices: Vec<usize> = (0..self.mine.len()).filter(|&vertex| conducts(vertex)).collect();
        let yes = self.variable();
        self.backend.add_clause(&[yes]);
        let middle: FxHashMap<usize, Lit> = vertices.iter().map(|&vertex| (vertex, self.variable())).collect();
        let middles: Vec<Lit> = vertices.iter().map(|vertex| middle[vertex]).collect();
        self.exactly(yes, 1, &middles);
        for &terminal in terminals {
            let on: FxHashMap<usize, Lit> = vertices.iter().map(|&vertex| (vertex, self.variable())).collect();
            let near = |vertex: usize| -> Vec<usize> {
                let mut near: Vec<usize> = adjacency.of(vertex).iter().map(|&(to, _)| to as usize).collect();
                near.retain(|&to| to != vertex && (to == terminal || on.contains_key(&to)));
                near.sort_unstable();
                near.dedup();
                near
            };
            let steps = |vertex: usize| -> Vec<Lit> {
                near(vertex).iter().map(|to| on.get(to).copied().unwrap_or(yes)).collect()
            };
            self.exactly(yes, 1, &steps(terminal));
            for &vertex in &vertices {
                let (here, is_middle) = (on[&vertex], middle[&vertex]);
                let mine = self.owns(vertex);
                self.backend.add_clause(&[!here, !mine]);
                self.backend.add_clause(&[!is_middle, here]);
                let passes = self.variable();
                self.backend.add_clause(&[!here, is_middle, passes]);
                self.exactly(passes, 2, &steps(vertex));
                self.exactly(is_middle, 1, &steps(vertex));
            }
        }
    }

    /// The opponent has a path of edges: what is not on it may be the winner's.
    fn path_of_edges(&mut self, graph: &Graph, [s, t]: [usize; 2]) {
        let adjacency = graph.adjacency();
        let yes = self.variable();
        self.backend.add_clause(&[yes]);
        for vertex in 0..graph.vertices() {
            let proper = adjacency.of(vertex).iter().filter(|&&(to, _)| to as usize != vertex);
            let edges: Vec<usize> = proper.map(|&(_, edge)| edge as usize).collect();
            let steps: Vec<Lit> = edges.iter().map(|&edge| !self.owns(edge)).collect();
            if vertex == s || vertex == t {
                self.exactly(yes, 1, &steps);
            } else if !steps.is_empty() {
                let here = self.variable();
                steps.iter().for_each(|&step| self.backend.add_clause(&[!step, here]));
                self.exactly(here, 2, &steps);
            }
        }
    }

    /// If `condition`, exactly this many of the literals are true: one or two. A counter runs along them.
    fn exactly(&mut self, condition: Lit, wanted: usize, lits: &[Lit]) {
        // `count[k]`: at least k + 1 of the literals so far are true.
        let mut count: Vec<Lit> = Vec::new();
        for &lit in lits {
            let length = (count.len() + 1).min(wanted + 1);
            let next: Vec<Lit> = (0..length).map(|_| self.variable()).collect();
            for k in 0..length {
                // Exactly as many: what was so far, or one more with this literal.
                let before = count.get(k).copied();
                let fewer = if k == 0 { None } else { Some(count[k - 1]) };
                if let Some(before) = before {
                    self.backend.add_clause(&[!before, next[k]]);
                }
                let mut up = vec![!lit, next[k]];
                up.extend(fewer.map(|fewer| !fewer));
                self.backend.add_clause(&up);
                let mut down = vec![!next[k], lit];
                down.extend(before);
                self.backend.add_clause(&down);
                if let Some(fewer) = fewer {
                    let mut down = vec![!next[k], fewer];
                    down.extend(before);
                    self.backend.add_clause(&down);
                }
            }
            count = next;
        }
        match count.get(wanted - 1) {
            Some(&enough) => self.backend.add_clause(&[!condition, enough]),
            None => self.backend.add_clause(&[!condition]),
        }
        if let Some(&more) = count.get(wanted) {
            self.backend.add_clause(&[!condition, !more]);
        }
    }

    /// Whether some completion of what is known is not won.
    fn refutes(
        &mut self,
        known: &[Known],
        winner: Side,
        pairs: &[[usize; 2]],
        control: &Control,
    ) -> Result<bool, StopReason> {
        let mut assumptions = Vec::new();
        for (mine, known) in self.mine.iter().zip(known) {
            match (mine, known) {
                (&Some(mine), &Known::Owner(side)) if side == winner => assumptions.push(mine),
                (&Some(mine), &Known::Owner(_)) if self.exact => assumptions.push(!mine),
                _ => {}
            }
        }
        for pair in pairs {
            // Where it does not matter who owns one of them, that one can be the winner's.
            let (Some(one), Some(two)) = (self.mine[pair[0]], self.mine[pair[1]]) else { continue };
            let switch = match self.switches.get(pair) {
                Some(&switch) => switch,
                None => {
                    let switch = self.variable();
                    self.backend.add_clause(&[!switch, one, two]);
                    self.switches.insert(*pair, switch);
                    switch
                }
            };
            assumptions.push(switch);
        }
        self.backend.solve(&assumptions, control)
    }
}

#[cfg(all(test, any(feature = "batsat", feature = "varisat")))]
mod tests {
    use super::*;
    use gamesat_core::rules::{Bridgit, Grid, Harary, Hex, Line, Positional, Shannon, Y};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random_graph(random: &mut ChaCha8Rng, vertices: usize, edges: usize) -> Graph {
        let mut graph = Graph::new(vertices);
        for _ in 0..edges {
            graph.add_edge(random.random_range(0..vertices), random.random_range(0..vertices));
        }
        graph
    }

    fn boards(random: &mut ChaCha8Rng) -> Vec<Board> {
        let grid = |columns, rows| Grid { columns, rows };
        let mut boards = vec![
            Board::new(Hex(grid(3, 3))),
            Board::new(Hex(grid(4, 2))),
            Board::new(Y(3)),
            Board::new(Y(4)),
            Board::new(Bridgit(2)),
            Board::new(Line { grid: grid(3, 3), length: 3, torus: false }),
            Board::new(Harary { grid: grid(3, 3), animal: "domino", torus: false }),
        ];
        for edges in [false, true] {
            for (vertices, count) in [(5, 7), (6, 9), (7, 10), (7, 10)] {
                let graph = random_graph(random, vertices, count);
                boards.push(Board::new(Shannon { graph, terminals: vec![0, vertices - 1], edges }));
            }
        }
        for (vertices, count) in [(6, 9), (7, 12), (8, 14), (9, 15)] {
            let terminals = vec![0, 1, vertices - 1];
            boards.push(Board::new(Shannon { graph: random_graph(random, vertices, count), terminals, edges: false }));
        }
        let names = (0..7).map(|i| format!("v{i}")).collect();
        let goal = Goal::Vertices { graph: random_graph(random, 9, 16), terminals: vec![7, 8] };
        boards.push(Board::new(Positional { names, goal, race: None }));
        boards
    }

    /// Against every completion, one by one.
    #[test]
    fn decided_means_decided_in_every_completion() {
        let mut random = ChaCha8Rng::seed_from_u64(21);
        // By whether the winner has a goal, whether a SAT call was made, and the answer.
        let mut seen = [[[0; 2]; 2]; 2];
        for _ in 0..40 {
            for mut board in boards(&mut random) {
                board.max = if random.random_bool(0.5) { Side::First } else { Side::Second };
                for element in 0..board.elements() {
                    if random.random_bool(0.2) {
                        let side = if random.random_bool(0.5) { Side::First } else { Side::Second };
                        let _ = board.place(element, side);
                    }
                }
                let winner = if random.random_bool(0.5) { Player::Max } else { Player::Min };
                let side = if winner == Player::Max { board.max } else { !board.max };
                let mut decided = BoardDecided::new(&board, winner, Judge::usual().unwrap()).unwrap();
                for _ in 0..4 {
                    let mut elements: Vec<usize> = board.free().collect();
                    for at in (1..elements.len()).rev() {
                        elements.swap(at, random.random_range(0..=at));
                    }
                    // Mostly in the winner's favour, or hardly anything would be decided.
                    let mut lit = |element: usize| {
                        Var::from_index(element).lit((winner == Player::Max) == random.random_bool(0.85))
                    };
                    let lits: Vec<Lit> = elements.iter().map(|&element| lit(element)).collect();
                    let count = random.random_range(0..=lits.len() / 2);
                    let (pairs, rest) = lits.split_at(2 * count);
                    let holds = &rest[..random.random_range(0..=rest.len())];
                    let fits = |bits: &u32| {
                        let is_true = |lit: &Lit| {
                            let at = elements.iter().position(|&element| element == lit.var().index()).unwrap();
                            (bits >> at & 1 != 0) == lit.is_positive()
                        };
                        holds.iter().all(is_true) && pairs.chunks(2).all(|pair| pair.iter().any(is_true))
                    };
                    let wins = |bits: u32| {
                        let mut full = board.clone();
                        for (at, &element) in elements.iter().enumerate() {
                            let side = if bits >> at & 1 != 0 { board.max } else { !board.max };
                            full.place(element, side).unwrap();
                        }
                        full.winner() == Some(side)
                    };
                    let expected = (0..1 << elements.len()).filter(fits).all(wins);
                    let had = decided.solver.as_ref().map_or(0, |solver| solver.switches.len());
                    let found = decided.by(holds, pairs, &Control::default()).unwrap();
                    assert_eq!(found, expected, "{board:?} {winner} {holds:?} {pairs:?}");
                    let called = decided.solver.as_ref().map_or(0, |solver| solver.switches.len()) > had;
                    seen[usize::from(decided.has_goal)][usize::from(called)][usize::from(found)] += 1;
                    // A colour that contradicts a stone decides nothing, and neither does one that is given twice.
                    if let Some(taken) = (0..board.elements()).find(|&element| board.stone(element).is_some()) {
                        let wrong = Var::from_index(taken).lit(board.stone(taken) != Some(board.max));
                        assert!(!decided.by(&[wrong], &[], &Control::default()).unwrap());
                    }
                    if let Some(&twice) = holds.first() {
                        assert!(!decided.by(&[twice, !twice], &[], &Control::default()).unwrap());
                    }
                }
            }
        }
        assert!(seen.iter().flatten().flatten().all(|&count| count > 10), "{seen:?}");
    }

    #[test]
    fn other_games_are_refused() {
        let board = Board::new(Y(3)).bounded(3);
        assert!(BoardDecided::new(&board, Player::Max, Judge::usual().unwrap()).is_err());
    }
}
