//! `gamesat split`: a hard question, cut into cubes that can be solved anywhere.

use super::args::SplitArgs;
use super::cubes::{Found, Manifest};
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::play::Position;
use gamesat::solve::Control;
use gamesat::split::{CutError, cut};

/// Runs the command.
pub fn run(args: &SplitArgs) -> Result<Exit, Failure> {
    let args = args.clone();
    command::run(&args.limits.clone(), &args.report.clone().into(), move |control, sink| {
        let manifest = match args.again {
            None => fresh(&args, control)?,
            Some(cube) => again(&args, cube, control)?,
        };
        let mut text = format!("{} cubes in {}\n", manifest.tree.cubes.len(), manifest.folder().display());
        if let (true, Some(winner)) = (manifest.tree.cubes.is_empty(), manifest.tree.winner(&[])) {
            text = format!("nothing is left to solve: {winner} wins\n");
        } else {
            if args.slurm {
                let path = manifest.write_beside("run.sbatch", &slurm(&manifest))?;
                text += &format!("sbatch {}\n", path.display());
            }
            if args.parallel {
                text += &parallel(&manifest);
            }
        }
        sink.write_text(&text)?;
        Ok(Exit::Success)
    })
}

fn stopped(error: CutError) -> Failure {
    match error {
        CutError::Stopped(reason) => Failure::Stopped(reason),
        other => Failure::usage(other.to_string()),
    }
}

fn fresh(args: &SplitArgs, control: &Control) -> Result<Manifest, Failure> {
    let input = input::read(&args.input, &args.game, args.report.quiet, control)?;
    Position::fits(&input.parsed.problem)?;
    let tree = cut(&input.parsed.problem, args.cutting(), control).map_err(stopped)?;
    Manifest::create(&args.folder, &input.parsed.problem, input.parsed.format, tree)
}

/// Cuts one cube again.
fn again(args: &SplitArgs, cube: u32, control: &Control) -> Result<Manifest, Failure> {
    let mut manifest = Manifest::open(&args.folder)?;
    let place = (cube as usize).checked_sub(1).filter(|&place| place < manifest.tree.cubes.len());
    let Some(place) = place else {
        return Err(Failure::usage(format!("there is no cube {cube}: 1 to {}", manifest.tree.cubes.len())));
    };
    if let Found::Won(winner) = manifest.found(place)? {
        return Err(Failure::usage(format!("cube {cube} is solved: {winner} wins")));
    }
    let mut position = Position::new(manifest.problem()?);
    for lit in manifest.tree.cubes[place].clone() {
        position.play(lit).map_err(|error| Failure::input(error.to_string()))?;
    }
    // The rest of a formula has fewer variables, the rest of a game fewer free elements; moves keep their names.
    let branch = cut(&position.problem(), args.cutting(), control).map_err(stopped)?;
    manifest.tree.graft(place, &branch);
    manifest.save()?;
    Ok(manifest)
}

/// A word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// How a cube is solved: the folder holds the question, so that nothing of the command line is lost.
fn solving(manifest: &Manifest) -> String {
    let problem = manifest.folder().join("problem");
    let folder = quoted(&manifest.folder().display().to_string());
    format!(
        "gamesat solve {} --format {} --manifest {folder}",
        quoted(&problem.display().to_string()),
        manifest.format.name()
    )
}

/// A job array: one task a cube, and a last job that joins.
fn slurm(manifest: &Manifest) -> String {
    let folder = quoted(&manifest.folder().display().to_string());
    let (solving, cubes) = (solving(manifest), manifest.tree.cubes.len());
    format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=gamesat\n\
         #SBATCH --array=1-{cubes}\n\
         #SBATCH --ntasks=1 --cpus-per-task=1\n\
         #SBATCH --mem=4G --time=01:00:00\n\
         #SBATCH --requeue\n\
         #SBATCH --output={}/task-%a.log\n\
         # The first task sees to it that a job behind the array joins the results.\n\
         if [ \"$SLURM_ARRAY_TASK_ID\" = 1 ] && [ -z \"$SLURM_RESTART_COUNT\" ]; then\n\
         \x20 sbatch --job-name=gamesat-join --dependency=afterany:\"$SLURM_ARRAY_JOB_ID\" --ntasks=1 --mem=4G \\\n\
         \x20   --output={}/join.log --wrap=\"gamesat join {folder}\"\n\
         fi\n\
         {solving} --cube \"$SLURM_ARRAY_TASK_ID\" --time-limit 3500 --memory-limit 3800 || exit 1\n\
         # What need not run any more is cancelled.\n\
         gamesat join {folder} --prune -q | while read cube; do\n\
         \x20 scancel \"${{SLURM_ARRAY_JOB_ID}}_$cube\"\n\
         done\n",
        manifest.folder().display(),
        manifest.folder().display(),
    )
}

/// A line for GNU parallel.
fn parallel(manifest: &Manifest) -> String {
    let log = quoted(&manifest.folder().join("joblog").display().to_string());
    let (folder, cubes) = (quoted(&manifest.folder().display().to_string()), manifest.tree.cubes.len());
    let solving = solving(manifest);
    format!("seq {cubes} | parallel --joblog {log} --resume {solving} --cube {{}} && gamesat join {folder}\n")
}
