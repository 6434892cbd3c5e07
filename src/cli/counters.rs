//! What was counted, as `c` lines that people read: sizes and techniques in tables, the rest as a name and a number each.

use gamesat::options::SimplifyOptions;
use gamesat::statistics::Statistics;
use std::fmt::Write;

/// What a size, and what a technique removes, is counted in.
const UNITS: [&str; 4] = ["blocks", "variables", "clauses", "literals"];

/// All counters and timers of a run.
pub fn lines(statistics: &Statistics) -> String {
    let mut text = tables(statistics);
    for (name, value) in statistics.entries().filter(|(name, _)| !in_tables(name)) {
        let _ = writeln!(text, "c {name} {}", rounded(value));
    }
    text
}

/// Before and after the simplifier, and what each technique that struck has removed.
pub fn tables(statistics: &Statistics) -> String {
    let mut text = String::new();
    let row = |text: &mut String, name: &str, cells: &[String]| {
        let _ = write!(text, "c {name:<22}");
        for cell in cells {
            let _ = write!(text, "{cell:>10}");
        }
        text.push('\n');
    };
    let heads = UNITS.map(str::to_owned);
    if statistics.entries().any(|(name, _)| name == "variables_before") {
        row(&mut text, "size", &heads);
        for when in ["before", "after"] {
            row(&mut text, when, &UNITS.map(|unit| statistics.get(&format!("{unit}_{when}")).to_string()));
        }
    }
    let removed = |technique: &str, what: &str| statistics.get(&format!("simplify_{technique}_{what}"));
    let struck = SimplifyOptions::TECHNIQUES
        .iter()
        .filter(|technique| UNITS.iter().any(|unit| removed(technique.name, unit) != 0.0));
    for (index, technique) in struck.enumerate() {
        if index == 0 {
            let ends = ["runs".to_owned(), "seconds".to_owned()];
            row(&mut text, "removed by", &[&heads[..], &ends[..]].concat());
        }
        let mut cells = UNITS.map(|unit| removed(technique.name, unit).to_string()).to_vec();
        cells.push(removed(technique.name, "runs").to_string());
        cells.push(format!("{:.3}", removed(technique.name, "seconds")));
        row(&mut text, &technique.name.replace('_', " "), &cells);
    }
    text
}

/// Whether the tables have a place for a counter.
fn in_tables(name: &str) -> bool {
    let size = |end: &str| name.strip_suffix(end).is_some_and(|unit| UNITS.contains(&unit));
    let of_technique = SimplifyOptions::TECHNIQUES.iter().any(|technique| {
        let rest = name.strip_prefix("simplify_").and_then(|rest| rest.strip_prefix(technique.name));
        rest.and_then(|rest| rest.strip_prefix('_'))
            .is_some_and(|what| UNITS.contains(&what) || ["runs", "seconds"].contains(&what))
    });
    size("_before") || size("_after") || of_technique
}

/// A count as it is, a time in milliseconds.
fn rounded(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_counter_is_shown_once() {
        let mut statistics = Statistics::default();
        for unit in UNITS {
            statistics.add(&format!("{unit}_before"), 12);
            statistics.add(&format!("{unit}_after"), 3);
        }
        statistics.add("simplify_rounds", 2);
        statistics.add("simplify_elimination_runs", 4);
        statistics.add("simplify_elimination_variables", 9);
        statistics.add_signed("simplify_elimination_literals", -7);
        statistics.add_time("simplify_elimination_seconds", Duration::from_millis(250));
        statistics.add("simplify_vivification_runs", 4);
        statistics.add("nodes", 77);
        let text = lines(&statistics);
        let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_ascii_whitespace().collect()).collect();
        assert_eq!(words[1], ["c", "before", "12", "12", "12", "12"]);
        assert_eq!(words[2], ["c", "after", "3", "3", "3", "3"]);
        assert_eq!(words[4], ["c", "elimination", "0", "9", "0", "-7", "4", "0.250"]);
        assert_eq!(words[5..], [["c", "simplify_rounds", "2"], ["c", "nodes", "77"]]);
    }
}
