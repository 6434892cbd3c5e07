//! `gamesat match`: games between two players, inside or outside of the program.

use super::args::{InputArgs, MatchArgs};
use super::exit::{Exit, Failure};
use super::{command, input, records};
use gamesat::Problem;
use gamesat::format::Format;
use gamesat::formula::Player;
use gamesat::play::players::{Lots, Setting, Tally, run as run_match};
use gamesat::play::{Contestant, Named, Outcome, PlayError, Position, Program, Round, Tongue, named, referee};
use gamesat::rules::sequential::Sequential;
use gamesat::solve::Control;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Runs the command.
pub fn run(args: &MatchArgs) -> Result<Exit, Failure> {
    let args = args.clone();
    command::run_with_object(&args.limits.clone(), &args.output.clone(), move |control, sink| {
        let games = games(&args, control)?;
        // Dominoes without hands are dealt, again and again, until a player has the target.
        if let [Game { problem: Problem::Sequential(game @ Sequential::Dominoes(dominoes)), .. }] = &games[..]
            && dominoes.is_undealt()
        {
            let text = dealt(&args, game, control)?;
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
        match Position::fits(&problem) {
            // One game of dominoes is dealt here.
            Err(PlayError::Missing(_)) if !several => {}
            fits => fits?,
        }
        if Round::new(problem.clone()).position().turn().is_none() && !matches!(problem, Problem::Sequential(_)) {
            return Err(Failure::usage(format!("{}: there is nothing to play", input.name)));
        }
        Ok(Game { name: input.name, problem, format })
    };
    sources.into_iter().map(read).collect()
}

/// A player by name.
fn by_name(text: &str) -> Option<Named> {
    named().into_iter().find(|named| named.name == text)
}

/// A player by name or command.
fn contestant(text: &str, format: Format, setting: Setting) -> Result<Box<dyn Contestant>, Failure> {
    if let Some(command) = text.strip_prefix("htp:") {
        return Ok(Box::new(Program::new(command, Tongue::Htp, format)));
    }
    if let Some(named) = by_name(text) {
        return Ok(named.contestant(setting));
    }
    if text.contains([' ', '/']) {
        return Ok(Box::new(Program::new(text, Tongue::Neutral, format)));
    }
    let known: Vec<&str> = named().iter().map(|named| named.name).collect();
    let known = known.join(", ");
    let command = "a command has a blank or a slash in it";
    Err(Failure::usage(format!(
        "there is no player '{text}'; there are {known}; {command}, as in 'exec {text}' or './{text}'"
    )))
}

/// A named player who does not play the game is a mistake, not a loss.
fn suits(text: &str, game: &Game) -> Result<(), Failure> {
    let Some(player) = by_name(text) else { return Ok(()) };
    let start = Round::new(game.problem.clone());
    let begin = |player: &Named| player.contestant(Setting { seed: 0, time: Duration::ZERO }).begin(start.position());
    let Err(why) = begin(&player) else { return Ok(()) };
    let others: Vec<&str> = named().iter().filter(|other| begin(other).is_ok()).map(|other| other.name).collect();
    Err(Failure::usage(format!("{text} cannot play {}: {why}; others can: {}", game.name, others.join(", "))))
}

/// One game of a contest: who was MAX, how it went.
struct Played {
    game: usize,
    first: bool,
    points: i64,
    fault: Option<String>,
    /// Who claimed to win, and did not.
    exposed: Vec<String>,
    seconds: f64,
    plies: usize,
}

/// Games between any two contestants under a referee.
fn contest(args: &MatchArgs, games: &[Game], control: &Control) -> Result<String, Failure> {
    if let Some(folder) = &args.records {
        fs::create_dir_all(folder).map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    }
    for (player, game) in
        [&args.one, &args.two].into_iter().flat_map(|player| games.iter().map(move |game| (player, game)))
    {
        suits(player, game)?;
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
    let sign = if one_is_max { 1 } else { -1 };
    let points = sign
        * match (record.outcome, record.round.position().score()) {
            (Outcome::Win(Player::Max), Some(score)) if score > 0 => score,
            (Outcome::Win(Player::Min), Some(score)) if score < 0 => score,
            (Outcome::Win(Player::Max), _) => 1,
            (Outcome::Win(Player::Min), _) => -1,
            (Outcome::Draw, _) => 0,
        };
    let culprit = |player: Player| if (player == Player::Max) == one_is_max { &args.one } else { &args.two };
    let fault = record.fault.as_ref().map(|(player, why)| format!("{}: {why}", culprit(*player)));
    let exposed = [Player::Max, Player::Min].into_iter().zip(record.exposed).filter(|(_, exposed)| *exposed);
    let exposed = exposed.map(|(player, _)| {
        let side = record.round.position().player_name(player);
        format!("{} claims to win {} as {side}, and loses it", culprit(player), game.name)
    });
    let exposed: Vec<String> = exposed.collect();
    if let Some(folder) = &args.records {
        let has_sgf = records::has_sgf(&game.problem);
        let path = folder.join(format!("{:04}.{}", number + 1, if has_sgf { "sgf" } else { "game" }));
        let players = if one_is_max { [&args.one, &args.two] } else { [&args.two, &args.one] };
        let ended = records::Ended { outcome: record.outcome, by_fault: record.fault.is_some() };
        let text = if has_sgf {
            records::sgf(&record.round, Some(players), Some(ended))?
        } else {
            let result = ended.remark(&record.round);
            let remarks = [format!("max {}", players[0]), format!("min {}", players[1]), result];
            records::written(&record.round, game.format, &remarks)?
        };
        fs::write(&path, text).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    }
    let plies = record.round.moves().len();
    Ok(Played { game: number, first: begins, points, fault, exposed, seconds: began.elapsed().as_secs_f64(), plies })
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
    let mut exposed: Vec<&String> = played.iter().flat_map(|game| &game.exposed).collect();
    exposed.sort_unstable();
    exposed.dedup();
    if args.output.json {
        let each: Vec<_> = played
            .iter()
            .map(|game| {
                json!({ "game": game.game + 1, "first_begins": game.first, "points": game.points, "fault": game.fault,
                "wrong_claims": game.exposed, "plies": game.plies, "seconds": game.seconds })
            })
            .collect();
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "players": [args.one, args.two], "games": all.games(), "wins": all.wins,
            "draws": all.draws, "losses": all.losses, "share": all.share(), "interval": [low, high], "plies": plies,
            "points": all.points, "faults": faults.len(), "wrong_claims": exposed.len(), "played": each, "seed": args.seed,
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
    for claim in exposed {
        text += &format!("WRONG CLAIM: {claim}\n");
    }
    let scored = games.iter().all(|game| matches!(game.problem, Problem::Sequential(_)));
    text + &line(args, &all, scored)
}

/// The last two lines.
fn line(args: &MatchArgs, tally: &Tally, scored: bool) -> String {
    let (low, high) = tally.interval();
    let points = if scored { format!(", {:+} points", tally.points) } else { String::new() };
    format!(
        "{} {} wins, {} draws, {} {} wins in {} games\n{}: {:.1} % ({low:.1} to {high:.1} % with a confidence of 95 %){points}\n",
        args.one,
        tally.wins,
        tally.draws,
        args.two,
        tally.losses,
        tally.games(),
        args.one,
        tally.share(),
    )
}

/// A match of players who are dealt hands.
fn dealt(args: &MatchArgs, game: &Sequential, control: &Control) -> Result<String, Failure> {
    let entry = |name: &str| {
        by_name(name)
            .and_then(|named| named.ordered())
            .filter(|entry| (entry.plays)(game))
            .ok_or_else(|| Failure::usage(format!("{name} does not play {} from the deal on", game.word())))
    };
    let entries = [entry(&args.one)?, entry(&args.two)?];
    if args.fixed || args.records.is_some() {
        return Err(Failure::usage("--fixed and --records are for games that begin with a position"));
    }
    let setting = Setting { seed: args.seed, time: args.seconds };
    let tally = run_match(game, entries, args.games as usize, setting, usize::from(args.threads), control)
        .map_err(Failure::Stopped)?;
    if !args.output.json {
        return Ok(line(args, &tally, true));
    }
    let (low, high) = tally.interval();
    let report = json!({
        "version": env!("CARGO_PKG_VERSION"), "game": game.word(), "players": [args.one, args.two], "games": tally.games(),
        "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "points": tally.points, "share": tally.share(),
        "interval": [low, high], "seed": args.seed,
    });
    Ok(format!("{report:#}\n"))
}
