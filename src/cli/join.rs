//! `gamesat join`: the answers of cubes, joined: who wins, what is still missing, and one proof of it all.

use super::answer::{formula_line, word};
use super::args::JoinArgs;
use super::cubes::{Found, Manifest};
use super::exit::{Exit, Failure};
use super::output::Sink;
use super::{command, output};
use gamesat::Problem;
use gamesat::format::{read_proof, write_proof};
use gamesat::formula::{Player, Proof, Var};
use gamesat::options::Certificate;
use gamesat::play::Position;
use gamesat::solve::{Control, Options, Question, Verdict, Wanted, ask};
use gamesat::split::{Node, Won, assemble, leaves};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

/// Runs the command.
pub fn run(args: &JoinArgs) -> Result<Exit, Failure> {
    let args = args.clone();
    let proof = args.proof.as_deref().map(|path| Sink::open(Some(path))).transpose()?;
    let _guard = proof.as_ref().map(Sink::guard);
    command::run(&args.limits.clone(), &args.report.clone().into(), move |control, sink| {
        join(&args, control, sink, proof)
    })
}

fn join(args: &JoinArgs, control: &Control, sink: Sink, proof: Option<Sink>) -> Result<Exit, Failure> {
    let manifest = Manifest::open(&args.folder)?;
    let found = manifest.all_found()?;
    let cubes = manifest.won(&found);
    if let Some(cube) = manifest.tree.contradiction(&cubes) {
        let which = cube + 1;
        return Err(Failure::input(if cube == manifest.whole() {
            "CONTRADICTION: the cubes have another winner than the result of the whole question says".to_owned()
        } else {
            format!(
                "CONTRADICTION: cube {which} was cut again, and its pieces have another winner than its own result says"
            )
        }));
    }
    let needed = manifest.tree.needed(&cubes);
    // 1. What need not run any more.
    if args.prune {
        let spare = (0..manifest.whole()).filter(|cube| cubes[*cube].is_none() && !needed.contains(cube));
        let text: String = spare.map(|cube| format!("{}\n", cube + 1)).collect();
        sink.write_text(&text)?;
        return Ok(Exit::Success);
    }
    // 2. The answer.
    let problem = manifest.problem()?;
    let winners = |cubes: &[Option<Won>]| -> Vec<Option<Player>> {
        manifest.tree.outcomes(cubes).iter().map(|won| won.as_ref().map(|won| won.winner)).collect()
    };
    let winner = winners(&cubes).last().copied().flatten();
    let cubes = &cubes[..manifest.whole()];
    let solved = cubes.iter().flatten().count();
    let verdict = match winner {
        Some(Player::Max) => Verdict::True,
        Some(Player::Min) => Verdict::False,
        None => Verdict::Unknown,
    };
    let mut text = String::new();
    if args.json {
        let mut value =
            json!({ "version": env!("CARGO_PKG_VERSION"), "verdict": word(verdict, manifest.header.is_none()) });
        if manifest.header.is_none() {
            value["winner"] = json!(winner.map(|winner| winner.to_string()));
        }
        value["cubes"] = json!(cubes.len());
        value["solved"] = json!(solved);
        value["open"] = needed.iter().map(|cube| cube + 1).collect();
        text = format!("{value:#}\n");
    } else {
        if !args.report.quiet {
            text += &format!("c {solved} of {} cubes solved\n", cubes.len());
        }
        for &cube in &needed {
            let why = match &found[cube] {
                Found::Tried(reason) => format!(": {reason}"),
                _ => String::new(),
            };
            text += &format!("c open {}{why}\n", cube + 1);
        }
        text += &match manifest.header {
            Some(header) => formula_line(verdict, header),
            None => format!("s gamesat {}\n", word(verdict, true)),
        };
    }
    // 3. The proof.
    if let (Some(mut file), Some(winner)) = (proof, winner) {
        // An answer to the whole question has no proof: the cubes have.
        let by_cubes = winners(cubes);
        let found = match by_cubes.last() {
            Some(Some(_)) => prove(&manifest, &problem, winner, &by_cubes, control)?,
            _ => None,
        };
        match found {
            Some(found) => {
                write_proof(&found, false, &mut file)?;
                file.finish()?;
            }
            None => output::diagnose("c no proof written: a cube that it rests on has none"),
        }
    }
    if winner.is_some() {
        manifest.tidy();
    }
    sink.write_text(&text)?;
    Ok(verdict.into())
}

/// The proof of the whole: those of cubes are read, what was known at once is proven here.
fn prove(
    manifest: &Manifest,
    problem: &Problem,
    winner: Player,
    winners: &[Option<Player>],
    control: &Control,
) -> Result<Option<Proof>, Failure> {
    let tree = &manifest.tree;
    let paths = tree.paths();
    let mut proofs = BTreeMap::new();
    for leaf in leaves(tree, winner, winners) {
        let proof = match tree.nodes[leaf] {
            Node::Cube(cube) => {
                let path = manifest.proof_path(cube);
                let Ok(file) = File::open(&path) else { return Ok(None) };
                read_proof(&mut BufReader::new(file), &path.display().to_string())?
            }
            _ => {
                let mut position = Position::new(problem.clone());
                for &lit in &paths[leaf] {
                    position.play(lit).map_err(|error| Failure::input(error.to_string()))?;
                }
                let rest = position.problem();
                let wanted = Wanted::default().and_certificate(Certificate::Functions);
                let answer = ask(&Question { problem: &rest, wanted: &wanted }, &Options::default(), control)?;
                match answer.proof {
                    Some(proof) => proof,
                    None => return Ok(None),
                }
            }
        };
        proofs.insert(leaf, proof);
    }
    let inputs: Vec<Var> = match problem {
        Problem::Qbf(qbf) => qbf.prefix().vars().to_vec(),
        Problem::Circuit(circuit) => circuit.prefix().vars().to_vec(),
        _ => Vec::new(),
    };
    let is_board = matches!(problem, Problem::Board(_));
    Ok(assemble(tree, winner, winners, &proofs, &inputs, is_board))
}
