//! `gamesat match`: games between two players, inside or outside of the program.

use super::args::{InputArgs, MatchArgs};
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::Problem;
use gamesat::format::Format;
use gamesat::formula::Player;
use gamesat::play::players::{Entry, Lots, Setting, Tally, find, players, run as run_match};
use gamesat::play::{Contestant, Ordered, Outcome, Position, Program, Record, Round, Tongue, named, referee};
use gamesat::rules::Side;
use gamesat::rules::sequential::Sequential;
use gamesat::solve::Control;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// Runs the command.
pub fn run(args: &MatchArgs) -> Result<Exit, Failure> {
    let args = args.clone();
    command::run(&args.limits.clone(), &args.output.clone(), move |control, sink| {
        let games = games(&args, control)?;
        // Games with an order have players of their own, who are dealt hands.
        if let ([game], Some(one), Some(two), false, None) =
            (&games[..], find(&args.one), find(&args.two), args.fixed, &args.records)
            && let Problem::Sequential(game) = &game.problem
        {
            let text = ordered(&args, game, [one, two], control)?;
            sink.write_text(&text)?;
            return Ok(Exit::Success);
        }
        let text = contest(&args, &games, control)?;
        sink.write_text(&text)?;
        Ok(Exit::Success)
    })
}

/// A game that is played.
struct Game {
    name: String,
    problem: Problem,
    format: Format,
}

/// What the words name: several files, or one game.
fn games(args: &MatchArgs, control: &Control) -> Result<Vec<Game>, Failure> {
    let several = args.words.len() > 1 && args.words.iter().all(|word| Path::new(word).is_file());
    let sources =
        if several { args.words.iter().map(|word| vec![word.clone()]).collect() } else { vec![args.words.clone()] };
    let read = |words: Vec<String>| -> Result<Game, Failure> {
        let input = input::read(&InputArgs { words, ..args.input() }, &Default::default(), args.output.quiet, control)?;
        let (problem, format) = (input.parsed.problem, input.parsed.format);
        Position::fits(&problem)?;
        if Round::new(problem.clone()).position().turn().is_none() && !matches!(problem, Problem::Sequential(_)) {
            return Err(Failure::usage(format!("{}: there is nothing to play", input.name)));
        }
        Ok(Game { name: input.name, problem, format })
    };
    sources.into_iter().map(read).collect()
}

/// Somebody by name or command.
fn contestant(text: &str, format: Format, setting: Setting) -> Result<Box<dyn Contestant>, Failure> {
    if let Some(command) = text.strip_prefix("htp:") {
        return Ok(Box::new(Program::new(command, Tongue::Htp, format)));
    }
    if let Some(named) = named().iter().find(|named| named.name == text) {
        return Ok(named.contestant(setting.seed));
    }
    if let Some(entry) = find(text) {
        return Ok(Box::new(Ordered(entry.player(setting))));
    }
    if text.contains([' ', '/']) {
        return Ok(Box::new(Program::new(text, Tongue::Neutral, format)));
    }
    let ordered = players().iter().map(|entry| entry.name).filter(|&name| name != "random");
    let known: Vec<&str> = named().iter().map(|named| named.name).chain(ordered).collect();
    Err(Failure::usage(format!("there is no player '{text}'; there are {}, and commands", known.join(", "))))
}

/// One game of a contest: who was MAX, how it went.
struct Played {
    game: usize,
    first: bool,
    points: i64,
    fault: Option<String>,
    seconds: f64,
    plies: usize,
}

/// Games between any two contestants under a referee.
fn contest(args: &MatchArgs, games: &[Game], control: &Control) -> Result<String, Failure> {
    if let Some(folder) = &args.records {
        fs::create_dir_all(folder).map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    }
    let all = args.games as usize * games.len();
    let (next, played) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let failure: Mutex<Option<Failure>> = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..usize::from(args.threads).min(all) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= all || lock(&failure).is_some() {
                        return;
                    }
                    match one_game(args, games, number, control) {
                        Ok(game) => {
                            let mut played = lock(&played);
                            played.push(game);
                            control.progress().set_steps(played.len() as u64, all as u64);
                        }
                        Err(error) => *lock(&failure) = Some(error),
                    }
                }
            });
        }
    });
    if let Some(failure) = lock(&failure).take() {
        return Err(failure);
    }
    let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    played.sort_by_key(|game: &Played| game.game);
    Ok(report(args, games, &played))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn one_game(args: &MatchArgs, games: &[Game], number: usize, control: &Control) -> Result<Played, Failure> {
    let which = number / args.games as usize;
    let game = &games[which];
    let start = Round::new(game.problem.clone());
    let seed = |player: u64| args.seed ^ Lots::new(2 * number as u64 + player).draw();
    let setting = |player: u64| Setting { seed: seed(player), time: args.seconds };
    let mut one = contestant(&args.one, game.format, setting(0))?;
    let mut two = contestant(&args.two, game.format, setting(1))?;
    // In the first game the first named player begins, then they change sides.
    let begins = args.fixed || number.is_multiple_of(2);
    let mover = start.position().turn().unwrap_or(Player::Max);
    let one_is_max = (mover == Player::Max) == begins;
    let began = Instant::now();
    let pair: [&mut dyn Contestant; 2] = if one_is_max { [&mut *one, &mut *two] } else { [&mut *two, &mut *one] };
    let record = referee(start, pair, args.seconds, control).map_err(Failure::Stopped)?;
    let points = match record.outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) => {
            if (winner == Player::Max) == one_is_max {
                1
            } else {
                -1
            }
        }
    };
    let culprit = |player: Player| if (player == Player::Max) == one_is_max { &args.one } else { &args.two };
    let fault = record.fault.as_ref().map(|(player, why)| format!("{}: {why}", culprit(*player)));
    if let Some(folder) = &args.records {
        let is_hex = gamesat::format::to_string(&game.problem, Format::Sgf).is_ok();
        let path = folder.join(format!("{:04}.{}", number + 1, if is_hex { "sgf" } else { "game" }));
        let players = if one_is_max { [&args.one, &args.two] } else { [&args.two, &args.one] };
        let text = if is_hex { sgf(&record, players) } else { written(game, &record, players)? };
        fs::write(&path, text).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    }
    let plies = record.round.moves().len();
    Ok(Played { game: number, first: begins, points, fault, seconds: began.elapsed().as_secs_f64(), plies })
}

/// A game of Hex in SGF, with its moves.
fn sgf(record: &Record, players: [&String; 2]) -> String {
    let Problem::Board(start) = record.round.start().given() else { return String::new() };
    let mut text = gamesat::format::to_string(record.round.start().given(), Format::Sgf).unwrap_or_default();
    text.truncate(text.trim_end().trim_end_matches(')').len());
    let quoted = |name: &str| name.replace('\\', "\\\\").replace(']', "\\]");
    let (black, white) = if start.max == Side::First { (players[0], players[1]) } else { (players[1], players[0]) };
    text += &format!("PB[{}]PW[{}]", quoted(black), quoted(white));
    let mut side = start.turn;
    for name in record.round.moves() {
        text += &format!(";{}[{name}]", if side == Side::First { "B" } else { "W" });
        side = !side;
    }
    text + ")\n"
}

/// Any other game: as it is written, with the moves behind it.
fn written(game: &Game, record: &Record, players: [&String; 2]) -> Result<String, Failure> {
    let mut text = gamesat::format::to_string(&game.problem, game.format)?;
    let mark = game.format.comment();
    text += &format!(
        "{mark} max {}\n{mark} min {}\n{mark} moves {}\n",
        players[0],
        players[1],
        record.round.moves().join(" ")
    );
    Ok(text)
}

/// The table of a contest.
fn report(args: &MatchArgs, games: &[Game], played: &[Played]) -> String {
    let tally = |games: &mut dyn Iterator<Item = &Played>| {
        let mut tally = Tally::default();
        games.for_each(|game| tally.add(game.points));
        tally
    };
    let all = tally(&mut played.iter());
    let (low, high) = all.interval();
    let faults: Vec<&String> = played.iter().filter_map(|game| game.fault.as_ref()).collect();
    let plies: usize = played.iter().map(|game| game.plies).sum();
    if args.json {
        let each: Vec<_> = played
            .iter()
            .map(|game| {
                json!({ "game": game.game + 1, "first_begins": game.first, "points": game.points, "fault": game.fault,
                "plies": game.plies, "seconds": game.seconds })
            })
            .collect();
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "players": [args.one, args.two], "games": all.games(), "wins": all.wins,
            "draws": all.draws, "losses": all.losses, "share": all.share(), "interval": [low, high], "plies": plies,
            "faults": faults.len(), "played": each, "seed": args.seed,
        });
        return format!("{report:#}\n");
    }
    let mut text = String::new();
    for (number, game) in games.iter().enumerate().filter(|_| games.len() > 1) {
        let own = |played: &&Played| played.game / args.games as usize == number;
        let tally = tally(&mut played.iter().filter(own));
        text += &format!(
            "{}: {} {}, {} draws, {} {}\n",
            game.name, args.one, tally.wins, tally.draws, args.two, tally.losses
        );
    }
    for fault in faults.iter().take(10) {
        text += &format!("lost by fault: {fault}\n");
    }
    text += &format!(
        "{} {} wins, {} draws, {} {} wins in {} games\n{}: {:.1} % ({low:.1} to {high:.1} % with a confidence of 95 %)\n",
        args.one,
        all.wins,
        all.draws,
        args.two,
        all.losses,
        all.games(),
        args.one,
        all.share()
    );
    text
}

/// A match of players of a game with an order.
fn ordered(
    args: &MatchArgs,
    game: &Sequential,
    entries: [&'static Entry; 2],
    control: &Control,
) -> Result<String, Failure> {
    if let Some(entry) = entries.iter().find(|entry| !(entry.plays)(game)) {
        return Err(Failure::usage(format!("{} does not play {}", entry.name, game.word())));
    }
    let setting = Setting { seed: args.seed, time: args.seconds };
    let tally = run_match(game, entries, args.games as usize, setting, usize::from(args.threads), control)
        .map_err(Failure::Stopped)?;
    let (low, high) = tally.interval();
    Ok(if args.json {
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "game": game.word(),
            "players": [args.one, args.two],
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "points": tally.points,
            "share": tally.share(),
            "interval": [low, high],
            "seed": args.seed,
        });
        format!("{report:#}\n")
    } else {
        format!(
            "{} {} wins, {} draws, {} {} wins in {} games\n{}: {:.1} % ({:.1} to {:.1} % with a confidence of 95 %), \
             {:+} points\n",
            args.one,
            tally.wins,
            tally.draws,
            args.two,
            tally.losses,
            tally.games(),
            args.one,
            tally.share(),
            low,
            high,
            tally.points
        )
    })
}
