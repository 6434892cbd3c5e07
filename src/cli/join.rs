//! `gamesat join`: the answers of cubes, joined: who wins, what is still missing, and one proof of it all.

use super::answer::{formula_line, word};
use super::args::JoinArgs;
use super::cubes::Manifest;
use super::exit::{Exit, Failure};
use super::output::Sink;
use super::results::Found;
use super::{command, output};
use gamesat::Problem;
use gamesat::check::{Judge, Judgement};
use gamesat::format::{read_proof, write_proof};
use gamesat::formula::{Lit, Player, Proof, Var};
use gamesat::options::Certificate;
use gamesat::play::Position;
use gamesat::solve::{Control, Options, Question, Verdict, Wanted, ask};
use gamesat::split::{Node, Won, assemble, leaves};
use serde_json::json;
use std::collections::BTreeMap;

/// Runs the command.
pub fn run(args: &JoinArgs) -> Result<Exit, Failure> {
    let args = args.clone();
    let proof = args.proof.as_deref().map(|path| Sink::open(Some(path))).transpose()?;
    let _guard = proof.as_ref().map(Sink::guard);
    command::run_with_object(&args.limits.clone(), &args.report.clone().into(), move |control, sink| {
        join(&args, control, sink, proof)
    })
}

fn join(args: &JoinArgs, control: &Control, sink: Sink, proof: Option<Sink>) -> Result<Exit, Failure> {
    let manifest = Manifest::open(&args.folder)?;
    let found = manifest.all_found()?;
    let cubes = manifest.won(&found);
    let problem = manifest.problem()?;
    if !args.prune {
        judge(&manifest, &problem, &cubes, control)?;
    }
    if let Some(cube) = manifest.tree.contradiction(&cubes) {
        let (path, which) = (manifest.result_path(cube).display().to_string(), cube + 1);
        return Err(Failure::input(if cube == manifest.whole() {
            format!("CONTRADICTION: {path}: the cubes say otherwise than this result of the whole question")
        } else {
            format!("CONTRADICTION: {path}: cube {which} was cut again, and its pieces say otherwise than this result")
        }));
    }
    let needed = manifest.tree.needed(&cubes);
    // 1. What no longer needs to run.
    if args.prune {
        let spare = (0..manifest.whole()).filter(|cube| cubes[*cube].is_none() && !needed.contains(cube));
        let text: String = spare.map(|cube| format!("{}\n", cube + 1)).collect();
        sink.write_text(&text)?;
        return Ok(Exit::Success);
    }
    // 2. The answer.
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
    if args.report.json {
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

/// Judges every proof of a cube: it has to prove what the result of the cube says, whatever the digests are. All files that
/// are wrong are named.
fn judge(manifest: &Manifest, problem: &Problem, cubes: &[Option<Won>], control: &Control) -> Result<(), Failure> {
    let mut complaints = Vec::new();
    for (cube, won) in
        cubes[..manifest.whole()].iter().enumerate().filter_map(|(cube, won)| Some((cube, won.as_ref()?)))
    {
        let path = manifest.proof_path(cube).display().to_string();
        let bytes = match manifest.proof(cube)? {
            Ok(Some(bytes)) => bytes,
            Ok(None) => continue,
            Err(flaw) => {
                complaints.push(format!("WRONG PROOF: {path}: {flaw}"));
                continue;
            }
        };
        control.log(|| format!("judging {path}"));
        let proof = match read_proof(&mut bytes.as_slice(), &path) {
            Ok(proof) => proof,
            Err(error) => {
                complaints.push(format!("WRONG PROOF: {}", Failure::from(error).message()));
                continue;
            }
        };
        let judge = Judge::usual().map_err(|error| Failure::input(format!("{path}: {error}")))?;
        let rest = after(problem, &manifest.tree.cubes[cube])?.problem();
        match judge.verify(&rest, &proof, control)? {
            Judgement::Accepted(verdict) => {
                let proven = if verdict { Player::Max } else { Player::Min };
                if proven != won.winner {
                    let [says, shows] = [won.winner, proven].map(|winner| manifest.says(winner));
                    let flaw = format!("it says {says}, and its proof {path} shows {shows}");
                    complaints.push(manifest.complaint(cube, &flaw));
                }
            }
            Judgement::Rejected(why) => {
                let why = why.lines().next().unwrap_or_default();
                complaints.push(format!("WRONG PROOF: {path}: it proves nothing about cube {}: {why}", cube + 1));
            }
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(Failure::input(complaints.join("\n"))) }
}

/// The position behind some moves.
fn after(problem: &Problem, moves: &[Lit]) -> Result<Position, Failure> {
    let mut position = Position::new(problem.clone());
    for &lit in moves {
        position.play(lit)?;
    }
    Ok(position)
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
                let Ok(Some(bytes)) = manifest.proof(cube)? else { return Ok(None) };
                read_proof(&mut bytes.as_slice(), &path.display().to_string())?
            }
            _ => {
                let rest = after(problem, &paths[leaf])?.problem();
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
