//! `gamesat split`: a hard question, cut into cubes that can be solved anywhere.

use super::args::SplitArgs;
use super::cubes::Manifest;
use super::exit::{Exit, Failure};
use super::results::Found;
use super::{command, input};
use gamesat::play::Position;
use gamesat::solve::Control;
use gamesat::split::{CutError, Cutting, cut};

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
            text = format!("nothing is left to solve: {}\n", manifest.says(winner));
        } else {
            let open: Vec<usize> = manifest.needed(&manifest.all_found()?).iter().map(|cube| cube + 1).collect();
            if args.slurm {
                let path = manifest.write_beside("run.sbatch", &slurm(&manifest, &open))?;
                text += &format!("sbatch {}\n", path.display());
            }
            if args.parallel {
                text += &parallel(&manifest, &open);
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
    Manifest::create(&args.folder, &input.parsed, args.cutting(), tree)
}

/// Cuts one cube again.
fn again(args: &SplitArgs, cube: u32, control: &Control) -> Result<Manifest, Failure> {
    let mut manifest = Manifest::open(&args.folder)?;
    let place = manifest.place(cube)?;
    if let Found::Won(won) = manifest.found(place)? {
        return Err(Failure::usage(format!("cube {cube} is solved: {}", manifest.says(won.winner))));
    }
    let mut position = Position::new(manifest.problem()?);
    for lit in manifest.tree.cubes[place].clone() {
        position.play(lit).map_err(|error| Failure::input(error.to_string()))?;
    }
    // The rest of a formula has fewer variables, the rest of a game fewer free elements; moves keep their names.
    let cutting = Cutting { every_move: manifest.cutting.every_move, ..args.cutting() };
    let branch = cut(&position.problem(), cutting, control).map_err(stopped)?;
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

/// Numbers as job arrays take them: `1-4,7`.
fn ranges(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let run =
        |&(first, last): &(usize, usize)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}

/// A job array: one task a cube, and a last job that joins. A task that was killed is queued again, up to three times; what
/// need not run any more is cancelled.
fn slurm(manifest: &Manifest, open: &[usize]) -> String {
    let folder = quoted(&manifest.folder().display().to_string());
    let (solving, cubes, first) = (solving(manifest), ranges(open), open.first().copied().unwrap_or(1));
    let place = manifest.folder().display();
    format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=gamesat\n\
         #SBATCH --array={cubes}\n\
         #SBATCH --ntasks=1 --cpus-per-task=1\n\
         #SBATCH --mem=4G --time=01:00:00\n\
         #SBATCH --requeue\n\
         #SBATCH --output={place}/task-%a.log\n\
         # The first task sees to it that a job behind the array joins the results.\n\
         if [ \"$SLURM_ARRAY_TASK_ID\" = {first} ] && [ -z \"$SLURM_RESTART_COUNT\" ]; then\n\
         \x20 sbatch --job-name=gamesat-join --dependency=afterany:\"$SLURM_ARRAY_JOB_ID\" --ntasks=1 --mem=4G \\\n\
         \x20   --output={place}/join.log --wrap=\"gamesat join {folder}\"\n\
         fi\n\
         # A limit that is reached is a result, too: such a cube can be cut again. Whatever else goes wrong is tried again.\n\
         {solving} --cube \"$SLURM_ARRAY_TASK_ID\" --time-limit 3500 --memory-limit 3800 || {{\n\
         \x20 [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt 3 ] && scontrol requeue \"$SLURM_JOB_ID\"\n\
         \x20 exit 1\n\
         }}\n\
         # Cubes that are no longer needed are cancelled.\n\
         gamesat join {folder} --prune -q | sed \"s/^/${{SLURM_ARRAY_JOB_ID}}_/\" | xargs -r scancel --quiet\n",
    )
}

/// A line for GNU parallel: jobs that were killed are tried again, and the same line goes on where it was stopped.
fn parallel(manifest: &Manifest, open: &[usize]) -> String {
    let log = quoted(&manifest.folder().join("joblog").display().to_string());
    let folder = quoted(&manifest.folder().display().to_string());
    let solving = solving(manifest);
    let numbers = match (open.first(), open.last()) {
        (Some(first), Some(last)) if last - first + 1 == open.len() => format!("seq {first} {last}"),
        _ => format!("echo {} | tr ' ' '\\n'", open.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")),
    };
    format!(
        "{numbers} | parallel -q --joblog {log} --resume --retries 3 {solving} --cube {{}} && gamesat join {folder}\n"
    )
}
