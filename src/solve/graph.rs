//! Vertex games on their graph, see [`gamesat_games::graph`].

use super::engine::{Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_core::formula::{Autotree, Lit, Proof, Var};
use gamesat_core::graph::Goal;
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side};
use gamesat_games::graph::{Questions, Session, VertexGame, VertexSolution, solve_vertex_game};
use gamesat_games::options::GraphOptions;

pub(super) struct Graph;

impl Engine for Graph {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn about(&self) -> &'static str {
        "Shannon's vertex game, and boards that join two or three terminals, on the graph: fill, connections, proof numbers"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        match question.problem {
            Problem::Board(board) if !question.wanted.outer_model && vertex_game(board).is_some() => {
                Offer::direct(Fit::Best)
            }
            _ => None,
        }
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        let mut graph = options.graph.clone();
        graph.graph_threads = options.threads;
        Box::new(OnGraph { session: None, options: graph })
    }
}

/// The graph and the terminals, if two or three terminals are to be joined by vertices, all of which can be taken.
pub(crate) fn vertex_game(board: &Board) -> Option<(&gamesat_core::graph::Graph, &[usize])> {
    match board.goal(Side::First) {
        Some(Goal::Vertices { graph, terminals }) if !board.has_plies() => {
            let takeable = (0..board.elements()).filter(|&element| !board.is_terminal(element)).count();
            let fits = matches!(terminals.len(), 2 | 3) && graph.vertices() == takeable + terminals.len();
            fits.then_some((graph, &terminals[..]))
        }
        _ => None,
    }
}

/// The engine at work on a board, for those who look without asking; `None` if it does not know the board.
pub(crate) fn vertex_session(board: &Board, options: &GraphOptions) -> Option<Result<Session, StopReason>> {
    vertex_game(board)?;
    Some(Session::new(&Position::new(board).game(), options))
}

/// The position as the engine wants it.
struct Position<'a> {
    graph: &'a gamesat_core::graph::Graph,
    terminals: &'a [usize],
    short: Vec<usize>,
    cut: Vec<usize>,
    short_to_move: bool,
}

impl<'a> Position<'a> {
    fn new(board: &'a Board) -> Self {
        let Some((graph, terminals)) = vertex_game(board) else { unreachable!("the offer was for a vertex game") };
        let of = |side: Side| (0..board.elements()).filter(|&e| board.stone(e) == Some(side)).collect();
        let (short, cut) = (of(Side::First), of(Side::Second));
        Position { graph, terminals, short, cut, short_to_move: board.turn == Side::First }
    }

    fn game(&self) -> VertexGame<'_> {
        let &Position { graph, terminals, ref short, ref cut, short_to_move } = self;
        VertexGame { graph, terminals, short, cut, short_to_move }
    }
}

/// The engine at work on a board, once there was a question.
struct OnGraph {
    session: Option<Session>,
    options: GraphOptions,
}

impl OnGraph {
    fn session(&mut self, board: &Board) -> Result<&mut Session, StopReason> {
        match &mut self.session {
            Some(session) => Ok(session),
            none => Ok(none.insert(Session::new(&Position::new(board).game(), &self.options)?)),
        }
    }

    /// The answer of a session, or of the engine without one on boards that are too large for that.
    fn solve(&mut self, board: &Board, questions: Questions, control: &Control) -> Result<VertexSolution, StopReason> {
        match self.session(board) {
            Ok(session) => session.solve(questions, control),
            Err(StopReason::Unsupported(_)) => {
                solve_vertex_game(&Position::new(board).game(), questions, &self.options, control)
            }
            Err(reason) => Err(reason),
        }
    }
}

impl Run for OnGraph {
    fn answer(&mut self, problem: &Problem, wanted: &Wanted, control: &Control) -> Answer {
        let Problem::Board(board) = problem else { unreachable!("the offer was for a board") };
        let questions = Questions {
            all_moves: wanted.all_moves,
            strategy: wanted.proof,
            tree: wanted.proof && wanted.tree,
            small_trace: wanted.trace == Trace::Small,
            line: true,
            expansions: None,
        };
        let found = match self.solve(board, questions, control) {
            Ok(found) => found,
            Err(reason) => return Answer::stopped(reason),
        };
        let winner = if found.short_wins { Side::First } else { Side::Second };
        let mut answer = Answer::new(Verdict::from(board.player(winner)));
        let mut colour = board.max == board.turn;
        answer.moves = found.moves.into_iter().map(|vertex| Var::from_index(vertex).lit(colour)).collect();
        answer.moves.sort_unstable();
        answer.missing = found.unlisted;
        for vertex in found.line {
            answer.variation.push(Var::from_index(vertex).lit(colour));
            colour = !colour;
        }
        if wanted.trace != Trace::No {
            answer.trace = Some(found.trace.into_iter().map(Var::from_index).collect());
        }
        // The engine's strategies are Short's or Cut's; whoever is not MAX here sees everything the other way round.
        let first_is_max = board.max == Side::First;
        let strategy = found.strategy.map(|strategy| if first_is_max { strategy } else { strategy.exchanged() });
        answer.proof = strategy.map(Proof::Strategy);
        // Of the tree with parallel parts and the strategy unfolded the smaller one.
        if let Some((parts, vertices)) = found.tree {
            let word = |vertex: usize| Autotree::word(&board.name(vertex), vertex);
            let labels = vertices.into_iter().map(word).collect();
            let written = Autotree::new(board.player(winner), labels, parts);
            let unfolded = match &answer.proof {
                Some(Proof::Strategy(strategy)) => Autotree::unfold(strategy, |lit| word(lit.var().index())),
                _ => None,
            };
            let smaller = written.into_iter().chain(unfolded).min_by_key(Autotree::size);
            answer.proof = smaller.map(Proof::Autotree);
        }
        answer.statistics = found.statistics;
        answer
    }

    fn play(&mut self, lit: Lit) -> bool {
        self.session.as_mut().is_some_and(|session| session.play(lit.var().index()))
    }

    fn undo(&mut self) -> bool {
        self.session.as_mut().is_some_and(Session::undo)
    }
}
