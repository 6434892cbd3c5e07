//! `gamesat analyse`: everything that is known about a position, with reasons.

use super::args::{AnalyseArgs, AnalyseTarget, InputArgs};
use super::exit::{Exit, Failure};
use super::speech::speech;
use super::{command, input};
use gamesat::Problem;
use gamesat::analyse::{
    Analysis, Dominated, Losing, Scope, SetReport, SetVerdict, Side, Sign, Speech, analyse, headline, look_at, page,
    reasons, svg,
};
use gamesat::formula::{ClauseArena, Lit, Player, Rule, Var};
use gamesat::rules::{Board, Side as BoardSide};
use gamesat::solve::{Control, Verdict};
use serde_json::{Value, json};
use std::fmt::Write;

/// Runs the command.
pub fn run(args: &AnalyseArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run_with_object(&args.limits, &args.output, move |control, sink| {
        let args = own;
        let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
        let problem = &input.parsed.problem;
        input::refuse_sequential(problem, "analyse")?;
        let names = problem.names();
        let board = match problem {
            Problem::Board(board) => Some(board),
            _ => None,
        };
        let speech = speech(&names, board);
        if let Some(set) = &args.set {
            let text = one_set(set, problem, &speech, args.output.json, control)?;
            sink.write_text(&text)?;
            return Ok(Exit::Success);
        }
        let scope = Scope { only_static: args.only_static, set_size: usize::from(args.set_size) };
        let analysis =
            analyse(problem, scope, &args.search.options(&args.techniques), control).map_err(Failure::refused)?;
        let text = match args.to {
            _ if args.output.json => format!("{:#}\n", object(&analysis, &speech)),
            AnalyseTarget::Text => lines(&analysis, board, &speech) + &table(&analysis, &speech),
            AnalyseTarget::Html => {
                page(&title(&args.input, &input.name), board, &analysis, &lines(&analysis, None, &speech), &speech)
            }
            AnalyseTarget::Svg => board
                .and_then(|board| svg(board, &analysis, &speech))
                .ok_or_else(|| Failure::usage("this cannot be drawn: --to html has a table of its elements"))?,
        };
        sink.write_text(&text)?;
        Ok(match analysis.side() {
            Some(side) if args.verdict => Exit::from(Verdict::from(side.winner)),
            _ => Exit::Success,
        })
    })
}

/// What a page is about: the formula, the board or the file, and the moves that were played.
fn title(args: &InputArgs, name: &str) -> String {
    let what = args.expression.as_deref().unwrap_or(name);
    match &args.moves {
        Some(moves) => format!("{what} after {moves}"),
        None => what.to_owned(),
    }
}

fn lines(analysis: &Analysis, board: Option<&Board>, speech: &Speech<'_>) -> String {
    let mut text = String::new();
    if let Some(board) = board {
        pictures(analysis, board, &mut text);
    }
    if let Some([plain, starred]) = analysis.outcome {
        let _ = writeln!(text, "class {plain}\nclass with star {starred}");
    }
    if let Some(form) = analysis.form.form() {
        let _ = writeln!(text, "form {form}\nform with star {}", form.with_star());
    }
    for side in analysis.sides.iter().flatten() {
        let _ = writeln!(text, "{} to move: {} wins", speech.player(side.first), speech.player(side.winner));
        if let Some(theorem) = side.theorem {
            let _ = writeln!(text, "  reason {theorem}");
        }
        if !side.moves.is_empty() {
            let _ = writeln!(text, "  winning moves {}", speech.choices(&side.moves));
        }
        if !side.trace.is_empty() {
            let _ = writeln!(text, "  trace {}", speech.elements(&side.trace));
        }
    }
    if let Some(mustplay) = &analysis.mustplay {
        let _ = writeln!(text, "mustplay of {} {}", speech.player(analysis.turn), speech.elements(mustplay));
    }
    if let Some((player, parts)) = &analysis.parts {
        let sets: Vec<String> = parts.iter().map(|part| speech.set(part)).collect();
        let _ = writeln!(text, "parts {} ({} needs all)", sets.join(" "), speech.player(*player));
    }
    if let Some((player, pairs)) = &analysis.pairing {
        let pairs: Vec<String> = pairs.iter().map(|pair| pair.map(|lit| speech.choice(lit)).join("-")).collect();
        let _ = writeln!(text, "pairing of {} {}", speech.player(*player), pairs.join(" "));
    }
    for (player, least) in [(Player::Min, analysis.threats[0]), (Player::Max, analysis.threats[1])] {
        if let Some(least) = least {
            let _ = writeln!(text, "threat level of {} {least}", speech.player(player));
        }
    }
    for fill in &analysis.fills {
        let owner = speech.player(fill.captor);
        let set: Vec<Var> = fill.literals.iter().map(|lit| lit.var()).collect();
        let colours = if speech.stones { speech.set(&set) } else { speech.choices(&fill.literals) };
        let _ = writeln!(text, "fill round {}: {colours} captured by {owner}", fill.round);
    }
    if analysis.rounds > 0 {
        let count = |rows: Option<usize>| rows.map_or("?".to_owned(), |rows| rows.to_string());
        let _ = writeln!(
            text,
            "after {} round{} {} clauses, {} terms",
            analysis.rounds,
            if analysis.rounds == 1 { "" } else { "s" },
            count(analysis.rows[0]),
            count(analysis.rows[1])
        );
    }
    if let Some(winner) = analysis.decided {
        let _ = writeln!(text, "decided without search: {} wins", speech.player(winner));
    }
    for missing in &analysis.missing {
        let _ = writeln!(text, "c missing: {missing}");
    }
    text
}

/// A line for every element.
fn table(analysis: &Analysis, speech: &Speech<'_>) -> String {
    let mut text = String::new();
    for report in &analysis.elements {
        let why = reasons(analysis, report.element, speech);
        let name = speech.element(report.element);
        let why = if why.is_empty() { String::new() } else { format!("  {}", why.join("; ")) };
        let _ = writeln!(text, "element {name:<4} {:<7} weight {:.4}{why}", report.sign, report.weight);
    }
    text
}

/// One picture for each layer that says something.
fn pictures(analysis: &Analysis, board: &Board, text: &mut String) {
    let lines = board.lines();
    if lines.is_empty() {
        return;
    }
    let [first, second] = board.symbols();
    let mut draw = |title: &str, symbol: &dyn Fn(Var) -> Option<char>| {
        if !(0..board.elements()).any(|element| symbol(Var::from_index(element)).is_some()) {
            return;
        }
        let _ = writeln!(text, "{title}");
        for (indent, elements) in &lines {
            let cell = |&element: &usize| match board.stone(element) {
                Some(BoardSide::First) => first,
                Some(BoardSide::Second) => second,
                None => symbol(Var::from_index(element)).unwrap_or('.'),
            };
            let row: Vec<String> = elements.iter().map(|element| cell(element).to_string()).collect();
            let _ = writeln!(text, "  {:indent$}{}", "", row.join(" "));
        }
    };
    let side = analysis.side();
    draw("winning moves *, trace +", &|var| {
        let side = side?;
        let wins = side.moves.iter().any(|lit| lit.var() == var);
        if wins { Some('*') } else { side.trace.contains(&var).then_some('+') }
    });
    draw("mustplay o", &|var| analysis.mustplay.as_ref()?.contains(&var).then_some('o'));
    draw("captured, in small letters", &|var| {
        let lit = analysis.fill_of(var)?.literals.iter().copied().find(|lit| lit.var() == var)?;
        let side = if lit.is_positive() { board.max } else { !board.max };
        Some(if side == BoardSide::First { first } else { second }.to_ascii_lowercase())
    });
    draw("dead #, dominated x, locally losing -", &|var| {
        if analysis.elements.iter().any(|report| report.element == var && report.sign == Sign::Dead) {
            Some('#')
        } else if analysis.dominated.iter().any(|found| found.element == var) {
            Some('x')
        } else {
            analysis.losing.iter().any(|found| found.choice.var() == var).then_some('-')
        }
    });
}

fn object(analysis: &Analysis, speech: &Speech<'_>) -> Value {
    let names = |vars: &[Var]| json!(vars.iter().map(|&var| speech.element(var)).collect::<Vec<_>>());
    let moves = |lits: &[Lit]| json!(lits.iter().map(|&lit| spoken(lit, speech)).collect::<Vec<_>>());
    let side = |side: &Option<Side>| match side {
        None => Value::Null,
        Some(side) => json!({
            "winner": side.winner.to_string(),
            "winning_moves": moves(&side.moves),
            "trace": names(&side.trace),
            "theorem": side.theorem,
        }),
    };
    // A player who wants to win a local game looks at their own rows.
    let form = |player: Player| if player == Player::Max { "clauses" } else { "terms" };
    let dominated = |found: &Dominated| json!({ "player": found.player.to_string(), "by": moves(&found.by), "set": names(&found.set), "form": form(found.player) });
    let losing = |found: &Losing| {
        json!({
            "player": found.player.to_string(),
            "move": spoken(found.choice, speech),
            "set": names(&found.set),
            "instead": moves(&found.instead),
        })
    };
    let elements: Vec<Value> = analysis
        .elements
        .iter()
        .map(|report| {
            let element = report.element;
            let rational = |player: Player| match (report.sign, analysis.rule) {
                (Sign::Rising, _) => Some(player == Player::Max),
                (Sign::Falling, Rule::Any) => Some(player == Player::Min),
                _ => None,
            };
            let fill = analysis.fill_of(element).map(|fill| {
                let set: Vec<Var> = fill.literals.iter().map(|lit| lit.var()).collect();
                let colour = fill.literals.iter().find(|lit| lit.var() == element).map(|lit| lit.is_positive());
                json!({
                    "captor": fill.captor.to_string(),
                    "colour": colour,
                    "round": fill.round,
                    "set": names(&set),
                    "form": form(fill.captor),
                })
            });
            let of = |found: &&Dominated| found.element == element;
            json!({
                "name": speech.element(element),
                "sign": report.sign.to_string(),
                "rational": { "max": rational(Player::Max), "min": rational(Player::Min) },
                "fill": fill,
                "dominated": analysis.dominated.iter().filter(of).map(dominated).collect::<Vec<_>>(),
                "losing": analysis.losing.iter().filter(|found| found.choice.var() == element).map(losing).collect::<Vec<_>>(),
                "weight": report.weight,
                "reasons": reasons(analysis, element, speech),
            })
        })
        .collect();
    let canonical = analysis.form.form();
    json!({
        "headline": headline(analysis, speech),
        "rule": analysis.rule.to_string(),
        "turn": analysis.turn.to_string(),
        "class": analysis.outcome.map(|[plain, _]| plain.to_string()),
        "class_with_star": analysis.outcome.map(|[_, starred]| starred.to_string()),
        "form": canonical.map(|form| form.name()),
        "max_to_move": side(&analysis.sides[0]),
        "min_to_move": side(&analysis.sides[1]),
        "mustplay": analysis.mustplay.as_ref().map(|mustplay| names(mustplay)),
        "parts": analysis.parts.as_ref().map(|(player, parts)| {
            json!({ "needed_by": player.to_string(), "sets": parts.iter().map(|part| names(part)).collect::<Vec<_>>() })
        }),
        "pairing": analysis.pairing.as_ref().map(|(player, pairs)| {
            json!({ "player": player.to_string(), "pairs": pairs.iter().map(|pair| moves(pair)).collect::<Vec<_>>() })
        }),
        "threat_levels": { "max": analysis.threats[1], "min": analysis.threats[0] },
        "rounds": analysis.rounds,
        "clauses": analysis.rows[0],
        "terms": analysis.rows[1],
        "decided": analysis.decided.map(|winner| winner.to_string()),
        "elements": elements,
        "missing": analysis.missing,
    })
}

/// A move with its colour, also on boards: programs should not have to guess.
fn spoken(lit: Lit, speech: &Speech<'_>) -> Value {
    json!({ "element": speech.element(lit.var()), "colour": lit.is_positive() })
}

/// The elements of a list of names.
fn elements(text: &str, problem: &Problem) -> Result<Vec<Var>, Failure> {
    let mut set = Vec::new();
    for name in text.split([',', ' ']).filter(|name| !name.is_empty()) {
        let found = match problem {
            Problem::Board(board) => board.find(name).map(Var::from_index),
            Problem::Game(game) => {
                let number = || name.parse().ok().filter(|&number: &i32| number > 0).map(Var::from_dimacs);
                game.names.find(name).or_else(number).filter(|var| var.index() < game.elements())
            }
            _ => None,
        };
        let var = found.ok_or_else(|| Failure::usage(format!("--set: there is no element '{name}'")))?;
        if !set.contains(&var) {
            set.push(var);
        }
    }
    Ok(set)
}

fn one_set(
    text: &str,
    problem: &Problem,
    speech: &Speech<'_>,
    json: bool,
    control: &Control,
) -> Result<String, Failure> {
    let set = elements(text, problem)?;
    let report = look_at(problem, &set, control).map_err(Failure::refused)?;
    let verdict = match report.verdict {
        SetVerdict::Dead => "dead".to_owned(),
        SetVerdict::Captured(player) => format!("captured by {}", speech.player(player)),
        SetVerdict::Dominated(player) => format!("dominated by {}", speech.player(player)),
        SetVerdict::DominatedByBoth => "dominated by both".to_owned(),
        SetVerdict::Undetermined => "undetermined".to_owned(),
    };
    Ok(if json {
        format!("{:#}\n", set_object(&report, &verdict, speech))
    } else {
        set_lines(&report, &verdict, speech)
    })
}

fn rows(rows: &ClauseArena, inner: &str, speech: &Speech<'_>) -> String {
    let literal = |lit: &Lit| format!("{}{}", if lit.is_positive() { "" } else { "!" }, speech.element(lit.var()));
    let row = |row: &[Lit]| format!("({})", row.iter().map(literal).collect::<Vec<_>>().join(inner));
    if rows.is_empty() { "none".to_owned() } else { rows.iter().map(row).collect::<Vec<_>>().join(" ") }
}

fn colouring(lits: &[Lit]) -> String {
    lits.iter().map(|lit| if lit.is_positive() { 'T' } else { 'F' }).collect()
}

fn set_lines(report: &SetReport, verdict: &str, speech: &Speech<'_>) -> String {
    let mut text = format!("set {}\n", speech.elements(&report.set));
    let unknown = || "unknown".to_owned();
    let clauses = report.clauses.as_ref().map_or_else(unknown, |found| rows(found, "|", speech));
    let terms = report.terms.as_ref().map_or_else(unknown, |found| rows(found, "&", speech));
    let _ = writeln!(text, "clauses {clauses}\nterms {terms}");
    for (word, list) in [("maximal", &report.maximal), ("minimal", &report.minimal)] {
        let list: Vec<String> = list.iter().map(|lits| colouring(lits)).collect();
        let _ = writeln!(text, "{word} {}", if list.is_empty() { "none".to_owned() } else { list.join(" ") });
    }
    for (first, odd, result) in &report.results {
        let padding = if *odd { "odd" } else { "even" };
        let _ = writeln!(text, "{} first, padded to {padding}: {result}", speech.player(*first));
    }
    let _ = writeln!(text, "verdict {verdict}");
    text
}

fn set_object(report: &SetReport, verdict: &str, speech: &Speech<'_>) -> Value {
    let table = |found: &Option<ClauseArena>| {
        found.as_ref().map(|rows| {
            rows.iter().map(|row| row.iter().map(|&lit| spoken(lit, speech)).collect::<Vec<_>>()).collect::<Vec<_>>()
        })
    };
    let list = |found: &[Vec<Lit>]| found.iter().map(|lits| colouring(lits)).collect::<Vec<_>>();
    json!({
        "set": report.set.iter().map(|&var| speech.element(var)).collect::<Vec<_>>(),
        "clauses": table(&report.clauses),
        "terms": table(&report.terms),
        "maximal": list(&report.maximal),
        "minimal": list(&report.minimal),
        "local_games": report.results.iter().map(|(first, odd, result)| json!({
            "first": first.to_string(),
            "padded_to": if *odd { "odd" } else { "even" },
            "result": result.to_string(),
        })).collect::<Vec<_>>(),
        "verdict": verdict,
    })
}
