//! `gamesat match`: games between two players.

use super::args::MatchArgs;
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::Problem;
use gamesat::players::{Entry, Setting, find, players, run as run_match};
use serde_json::json;

/// Runs the command.
pub fn run(args: &MatchArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, sink| {
        let args = own;
        let entries = [player(&args.one)?, player(&args.two)?];
        let input = input::read(&args.input(), &Default::default(), args.output.quiet, control)?;
        let Problem::Sequential(game) = input.parsed.problem else {
            return Err(Failure::usage("a match is played in a game with an order, such as: dots 3x3"));
        };
        if let Some(entry) = entries.iter().find(|entry| !(entry.plays)(&game)) {
            return Err(Failure::usage(format!("{} does not play {}", entry.name, game.word())));
        }
        let setting = Setting { seed: args.seed, time: args.move_time };
        let tally = run_match(&game, entries, args.games as usize, setting, usize::from(args.threads), control)
            .map_err(Failure::Stopped)?;
        let (low, high) = tally.interval();
        let text = if args.json {
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
        };
        sink.write_text(&text)?;
        Ok(Exit::Success)
    })
}

/// The player of this name.
fn player(name: &str) -> Result<&'static Entry, Failure> {
    find(name).ok_or_else(|| {
        let known: Vec<&str> = players().iter().map(|entry| entry.name).collect();
        Failure::usage(format!("there is no player '{name}'; there are {}", known.join(", ")))
    })
}

/// Every player with a line about it, for the help text.
pub fn list() -> String {
    players().iter().map(|entry| format!("  {:10} {}\n", entry.name, entry.about)).collect()
}
