//! Everything that is known about a position, in one place.

use super::classify::rows_of;
use super::factor::{Found, canonical_form, components};
use super::fill::{Dominated, Fill, Forms, Losing, Sign, fill, inferior};
use super::local::{LocalResult, MOST, punctuated};
use super::pairing::pairing;
use crate::solve::{Options, Question, Trace, Wanted, ask};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Game, Lit, Player, Rule, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side as BoardSide};
use gamesat_games::theory::canonical::Outcome;
use gamesat_games::theory::evaluate::resistance::network;
use gamesat_rows::normal;
use rustc_hash::{FxHashMap, FxHashSet};

/// What to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Only what needs no search.
    pub only_static: bool,
    /// Elements of the sets that are looked at, 2 to 4.
    pub set_size: usize,
}

impl Default for Scope {
    fn default() -> Self {
        Scope { only_static: false, set_size: 2 }
    }
}

/// Who wins with one player to move, and how.
#[derive(Clone, Debug)]
pub struct Side {
    /// Who is to move.
    pub first: Player,
    /// Who wins.
    pub winner: Player,
    /// Every winning move of the player to move.
    pub moves: Vec<Lit>,
    /// Elements that suffice for the winner.
    pub trace: Vec<Var>,
    /// The theorem that gave the winner, where no search was needed.
    pub theorem: Option<&'static str>,
}

/// What is known about one element.
#[derive(Clone, Debug)]
pub struct ElementReport {
    /// The element.
    pub element: Var,
    /// How the formula depends on it, before anything is filled in.
    pub sign: Sign,
    /// Its weight in the rows of both players: each row counts 2^-length. On a board with too many rows the power in it, if
    /// both sides' ways are networks of resistors.
    pub weight: f64,
}

/// Everything that was found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The rule.
    pub rule: Rule,
    /// Who is to move.
    pub turn: Player,
    /// Class without and with a star, if it was looked for.
    pub outcome: Option<[Outcome; 2]>,
    /// The canonical form, if the game is small.
    pub form: Found,
    /// With MAX, and with MIN to move; `None` if that was not solved.
    pub sides: [Option<Side>; 2],
    /// The elements outside which every move of the player to move loses.
    pub mustplay: Option<Vec<Var>>,
    /// The player who has to win every part, and the parts, if there are several.
    pub parts: Option<(Player, Vec<Vec<Var>>)>,
    /// A player who wins whoever moves first, by answering in pairs.
    pub pairing: Option<(Player, Vec<[Lit; 2]>)>,
    /// Captured sets in the order in which they are filled in.
    pub fills: Vec<Fill>,
    /// Rounds of filling.
    pub rounds: usize,
    /// Clauses and terms that are left then.
    pub rows: [Option<usize>; 2],
    /// The winner, if filling alone decides.
    pub decided: Option<Player>,
    /// Moves that another one dominates.
    pub dominated: Vec<Dominated>,
    /// Moves that lose locally.
    pub losing: Vec<Losing>,
    /// The fewest open elements in a row that MAX, and that MIN has to hit: one means that the opponent threatens to win.
    pub threats: [Option<usize>; 2],
    /// Every uncoloured element of the formula.
    pub elements: Vec<ElementReport>,
    /// What could not be found, and why.
    pub missing: Vec<String>,
}

impl Analysis {
    /// The set that an element was filled in with.
    pub fn fill_of(&self, element: Var) -> Option<&Fill> {
        self.fills.iter().find(|fill| fill.literals.iter().any(|lit| lit.var() == element))
    }

    /// The solved side of the player to move.
    pub fn side(&self) -> Option<&Side> {
        self.sides[usize::from(self.turn == Player::Min)].as_ref()
    }
}

/// Analyses a game or a board.
///
/// What is stopped by a limit or an interrupt is [missing](Analysis::missing), and what was found until then is there.
///
/// # Errors
/// The problem is no set colouring game (as text), or the run was to stop before there was anything to look at.
pub fn analyse(problem: &Problem, scope: Scope, options: &Options, control: &Control) -> Result<Analysis, StopReason> {
    if let Problem::Colouring(_) = problem {
        return analyse(&Problem::Game(rows_of(problem, control)?), scope, options, control);
    }
    let (game, turn) = position(problem, control)?;
    let mut missing = Vec::new();
    let game = match game {
        Ok(game) => Some(game),
        Err(why) => {
            missing.push(why);
            None
        }
    };
    let mut analysis = Analysis {
        rule: game.as_ref().map_or(Rule::Any, |game| game.rule),
        turn,
        outcome: None,
        form: Found::TooLarge(0),
        sides: [None, None],
        mustplay: None,
        parts: None,
        pairing: None,
        fills: Vec::new(),
        rounds: 0,
        rows: [None, None],
        decided: None,
        dominated: Vec::new(),
        losing: Vec::new(),
        threats: [None, None],
        elements: Vec::new(),
        missing,
    };
    // 1. Without search.
    if let Some(game) = &game
        && let Err(reason) = statically(&mut analysis, game, scope, control)
    {
        analysis.missing.push(format!("what is seen without search: {reason}"));
    }
    let may_go_on = control.stop_reason(0).is_none();
    if let (true, Problem::Board(board)) = (analysis.elements.is_empty() && may_go_on, problem) {
        analysis.elements = by_currents(board);
    }
    // 2. By search.
    if !scope.only_static
        && let Err(reason) = by_search(&mut analysis, problem, game.as_ref(), options, control)
    {
        analysis.missing.push(format!("what is found by search: {reason}"));
    }
    Ok(analysis)
}

/// The free cells of a board whose rows are too many: weighed by the power in both sides' networks of resistors.
fn by_currents(board: &Board) -> Vec<ElementReport> {
    let flows = [BoardSide::First, BoardSide::Second].map(|side| network(board, side));
    let power = |element: usize| -> f64 {
        let currents = flows.iter().flatten().filter_map(|flow| flow.currents.get(element));
        currents.map(|current| current * current).sum()
    };
    let report = |element: usize| ElementReport {
        element: Var::from_index(element),
        sign: Sign::Rising,
        weight: power(element),
    };
    board.free().map(report).collect()
}

/// A game, or why a board has no affordable one; and who is to move.
type Position = (Result<Game, String>, Player);

fn position(problem: &Problem, control: &Control) -> Result<Position, StopReason> {
    let unsupported = |why: &str| Err(StopReason::Unsupported(why.to_owned()));
    match problem {
        Problem::Game(game) => Ok((Ok(game.clone()), game.turn)),
        Problem::Board(board) if board.has_plies() || board.is_race() => {
            unsupported("a race or a game of bounded length is no set colouring game")
        }
        Problem::Board(board) => {
            let turn = board.player(board.turn);
            match rows_of(problem, control) {
                Ok(game) => Ok((Ok(game), turn)),
                Err(StopReason::Unsupported(why)) => Ok((Err(why), turn)),
                // What was written down of it is gone, and there may be room for a search.
                Err(reason) => Ok((Err(format!("the winning sets: {reason}")), turn)),
            }
        }
        Problem::Sequential(_) => unsupported("this is a sequential game, not a set colouring game"),
        _ => unsupported("a quantified formula is no game"),
    }
}

fn statically(analysis: &mut Analysis, game: &Game, scope: Scope, control: &Control) -> Result<(), StopReason> {
    analysis.form = canonical_form(game, control)?;
    if let Found::Form(form) = analysis.form {
        analysis.outcome = Some([form.outcome(), form.with_star().outcome()]);
    }
    let forms = Forms::new(game, control)?;
    if !forms.is_known() {
        analysis.missing.push("the formula has no affordable prime form".to_owned());
        return Ok(());
    }
    // 1. Elements.
    let signs = forms.signs();
    let weights = weights(&forms);
    let played: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
    let mut occurring: Vec<Var> =
        signs.keys().copied().chain(named(game)).filter(|var| !played.contains(var)).collect();
    occurring.sort_unstable();
    occurring.dedup();
    analysis.elements = occurring
        .into_iter()
        .map(|element| ElementReport {
            element,
            sign: signs.get(&element).copied().unwrap_or(Sign::Dead),
            weight: weights.get(&element).copied().unwrap_or(0.0),
        })
        .collect();
    // 2. Parts and threats.
    analysis.parts = [(Player::Max, &forms.cnf), (Player::Min, &forms.dnf)].into_iter().find_map(|(player, rows)| {
        let groups = components(rows.as_ref()?);
        let sets = groups.iter().map(|rows| {
            let vars: FxHashSet<Var> = rows.lits().iter().map(|lit| lit.var()).collect();
            let mut vars: Vec<Var> = vars.into_iter().collect();
            vars.sort_unstable();
            vars
        });
        (groups.len() > 1).then(|| (player, sets.collect()))
    });
    // MIN has to falsify a literal of every term.
    let negated = forms.dnf.as_ref().map(|rows| {
        let mut rows = rows.clone();
        rows.lits_mut().iter_mut().for_each(|lit| *lit = !*lit);
        rows
    });
    analysis.pairing = [(Player::Max, forms.cnf.as_ref()), (Player::Min, negated.as_ref())]
        .into_iter()
        .find_map(|(player, rows)| Some((player, pairing(rows?, player, analysis.rule)?)));
    let least = |rows: &Option<ClauseArena>| rows.as_ref().and_then(|rows| rows.iter().map(<[Lit]>::len).min());
    analysis.threats = [least(&forms.cnf), least(&forms.dnf)];
    // 3. What need not be played.
    let filled = fill(&forms, scope.set_size, analysis.turn, game.uncoloured(), control)?;
    analysis.decided = filled.forms.decided().map(|value| if value { Player::Max } else { Player::Min });
    analysis.rows = [&filled.forms.cnf, &filled.forms.dnf].map(|rows| rows.as_ref().map(ClauseArena::len));
    (analysis.fills, analysis.rounds) = (filled.fills, filled.rounds);
    (analysis.dominated, analysis.losing) = inferior(&filled.forms, scope.set_size, game.uncoloured(), control)?;
    Ok(())
}

/// The elements that have a name or a number in the formula; not billions of stars.
fn named(game: &Game) -> Vec<Var> {
    if game.elements() <= 4096 { (0..game.elements()).map(Var::from_index).collect() } else { Vec::new() }
}

fn weights(forms: &Forms) -> FxHashMap<Var, f64> {
    let mut weights: FxHashMap<Var, f64> = FxHashMap::default();
    for row in forms.cnf.iter().chain(&forms.dnf).flat_map(ClauseArena::iter) {
        let weight = 0.5f64.powi(i32::try_from(row.len()).unwrap_or(i32::MAX));
        row.iter().for_each(|lit| *weights.entry(lit.var()).or_default() += weight);
    }
    weights
}

fn by_search(
    analysis: &mut Analysis,
    problem: &Problem,
    game: Option<&Game>,
    options: &Options,
    control: &Control,
) -> Result<(), StopReason> {
    for (at, first) in [Player::Max, Player::Min].into_iter().enumerate() {
        match solve(&with_turn(problem, first), first, options, control)? {
            Ok((side, unlisted)) => {
                analysis.sides[at] = Some(side);
                let missing = unlisted.map(|reason| format!("some winning moves with {first} to move: {reason}"));
                analysis.missing.extend(missing);
            }
            Err(reason) => analysis.missing.push(format!("with {first} to move: {reason}")),
        }
    }
    // In an isotone game the star changes nothing.
    let isotone = match (problem, game) {
        (Problem::Board(_), _) => true,
        (_, Some(_)) => {
            analysis.elements.iter().all(|report| match analysis.rule {
                Rule::Any => report.sign != Sign::Both,
                Rule::Own => matches!(report.sign, Sign::Rising | Sign::Dead),
            }) && !analysis.elements.is_empty()
        }
        _ => false,
    };
    let mut starred: [Option<Side>; 2] = [None, None];
    if let (false, Some(game)) = (isotone, game) {
        let mut more = game.clone();
        more.add_stars(1);
        for (at, first) in [Player::Max, Player::Min].into_iter().enumerate() {
            more.turn = first;
            match solve(&Problem::Game(more.clone()), first, options, control)? {
                Ok((side, _)) => starred[at] = Some(side),
                Err(reason) => analysis.missing.push(format!("with a star and {first} to move: {reason}")),
            }
        }
    }
    if analysis.outcome.is_none()
        && let [Some(max), Some(min)] = &analysis.sides
    {
        let plain = Outcome::new(max.winner, min.winner);
        analysis.outcome = match &starred {
            [Some(max), Some(min)] => Some([plain, Outcome::new(max.winner, min.winner)]),
            _ => isotone.then_some([plain, plain]),
        };
    }
    // Every move outside what the opponent needs, if it were the opponent's turn, loses.
    let opponent = usize::from(analysis.turn == Player::Max);
    let passed = if isotone { analysis.sides[opponent].as_ref() } else { starred[opponent].as_ref() };
    analysis.mustplay = passed.filter(|side| side.winner != analysis.turn).map(|side| side.trace.clone());
    Ok(())
}

fn with_turn(problem: &Problem, first: Player) -> Problem {
    let mut problem = problem.clone();
    match &mut problem {
        Problem::Game(game) => game.turn = first,
        Problem::Board(board) => board.turn = if first == Player::Max { board.max } else { !board.max },
        _ => {}
    }
    problem
}

/// Who wins and how, and why perhaps not every winning move is listed; or why it is not known who wins.
type Solved = Result<(Side, Option<StopReason>), StopReason>;

fn solve(problem: &Problem, first: Player, options: &Options, control: &Control) -> Result<Solved, StopReason> {
    let answer = |wanted: &Wanted| {
        ask(&Question { problem, wanted }, options, control)
            .map_err(|refusal| StopReason::Unsupported(refusal.to_string()))
    };
    // The trace of a search that lists all moves is larger than need be.
    let traced = answer(&Wanted::default().and_trace(Trace::Small)).ok();
    let mut answer = answer(&Wanted::default().and_all_moves()).or_else(|_| answer(&Wanted::default()))?;
    answer.trace = traced.and_then(|traced| traced.trace);
    Ok(match answer.verdict.winner() {
        Some(winner) => {
            let (moves, trace) = (answer.moves, answer.trace.unwrap_or_default());
            Ok((Side { first, winner, moves, trace, theorem: answer.theorem }, answer.missing))
        }
        None => Err(answer.stop.unwrap_or(StopReason::Interrupted)),
    })
}

/// One set under the glass.
#[derive(Clone, Debug)]
pub struct SetReport {
    /// The set.
    pub set: Vec<Var>,
    /// The clauses cut down to the set, if the prime clauses are affordable.
    pub clauses: Option<ClauseArena>,
    /// The terms cut down to it.
    pub terms: Option<ClauseArena>,
    /// The colourings that are best for MAX.
    pub maximal: Vec<Vec<Lit>>,
    /// The colourings that are best for MIN.
    pub minimal: Vec<Vec<Lit>>,
    /// Results of the local game: first player, whether padded to odd, result.
    pub results: Vec<(Player, bool, LocalResult)>,
    /// What follows.
    pub verdict: SetVerdict,
}

/// What a set is to the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetVerdict {
    /// Nothing depends on it.
    Dead,
    /// It may be filled with this player's colouring.
    Captured(Player),
    /// Of its moves, this player needs only one.
    Dominated(Player),
    /// Both players need only one.
    DominatedByBoth,
    /// Nothing is known.
    Undetermined,
}

/// Looks at one set of uncoloured elements.
///
/// # Errors
/// The set is too large, not of this game, or coloured (as text), or the run was to stop.
pub fn look_at(problem: &Problem, set: &[Var], control: &Control) -> Result<SetReport, StopReason> {
    let unsupported = |why: String| Err(StopReason::Unsupported(why));
    let game = match position(problem, control)?.0 {
        Ok(game) => game,
        Err(why) => return unsupported(why),
    };
    if set.is_empty() || set.len() > MOST {
        return unsupported(format!("a set of 1 to {MOST} elements can be looked at, not of {}", set.len()));
    }
    if let Some(var) = set.iter().find(|var| var.index() >= game.elements()) {
        return unsupported(format!("there is no element {var}"));
    }
    if let Some(lit) = game.played().iter().find(|lit| set.contains(&lit.var())) {
        return unsupported(format!("element {} has a colour already", game.names.display(lit.var())));
    }
    let forms = Forms::new(&game, control)?;
    if !forms.is_known() {
        return unsupported("the formula has no affordable prime form".to_owned());
    }
    let local = forms.local(set);
    let results = [Player::Max, Player::Min]
        .into_iter()
        .flat_map(|first| [false, true].map(|odd| (first, odd, local.play(first, odd).0)))
        .collect();
    let by = |player| local.is_dominated(player);
    let verdict = if local.is_dead() {
        SetVerdict::Dead
    } else if let Some(captor) = [Player::Max, Player::Min].into_iter().find(|&player| local.is_captured(player)) {
        SetVerdict::Captured(captor)
    } else {
        match (by(Player::Max), by(Player::Min)) {
            (true, true) => SetVerdict::DominatedByBoth,
            (true, false) => SetVerdict::Dominated(Player::Max),
            (false, true) => SetVerdict::Dominated(Player::Min),
            (false, false) => SetVerdict::Undetermined,
        }
    };
    // What contains another row says nothing new.
    let shown = |rows: &Option<ClauseArena>| {
        rows.as_ref().map(|rows| normal::irredundant(&punctuated(rows, set), control)).transpose()
    };
    let optimal = |player| local.optimal(player).take(64).map(|colouring| local.literals(colouring)).collect();
    Ok(SetReport {
        set: set.to_vec(),
        clauses: shown(&forms.cnf)?,
        terms: shown(&forms.dnf)?,
        maximal: optimal(Player::Max),
        minimal: optimal(Player::Min),
        results,
        verdict,
    })
}
