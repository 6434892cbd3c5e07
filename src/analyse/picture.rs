//! An analysis as a drawing: SVG of a board or a graph, and a page that needs nothing but a browser.
//!
//! Marks: stones; filled cells as small stones; a cross for dead cells, `×` for dominated and `·` for locally losing ones;
//! mustplay outlined, trace shaded, winning moves ringed. The colours are those of Okabe and Ito, which people with any
//! colour vision tell apart; light and dark follow the reader's setting.

use super::words::{Speech, reasons};
use super::{Analysis, Sign};
use gamesat_core::formula::{Player, Var};
use gamesat_core::rules::{Board, Goal, Side};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_6, TAU};
use std::fmt::Write;

/// Half the width of a cell.
const RADIUS: f64 = 34.0;
/// How far marks stand above the middle of a cell and names below it, in radii, so that neither covers the other.
const ABOVE: f64 = 0.2;
const BELOW: f64 = 0.46;

/// What can be shown and hidden: class, words for the legend.
const LAYERS: [(&str, &str); 8] = [
    ("trace", "trace of the winner (shaded)"),
    ("mustplay", "mustplay (outlined)"),
    ("winning", "winning move (ring)"),
    ("filled", "captured and filled in (small stone)"),
    ("dead", "dead (crossed)"),
    ("dominated", "dominated (×)"),
    ("losing", "locally losing (dot)"),
    ("names", "names"),
];

const STYLE: &str = "\
svg.board{--paper:#ffffff;--ink:#1b1b1b;--cell:#f3efe6;--line:#8a8578;--shade:#56b4e9;--must:#0072b2;--win:#009e73;\
--warn:#d55e00;--black:#1b1b1b;--white:#ffffff;font:12px sans-serif}\
@media (prefers-color-scheme:dark){svg.board{--paper:#17191c;--ink:#ececec;--cell:#2c3036;--line:#7b818a;--white:#f7f7f7;\
--black:#000000;--must:#9ad4ff;--win:#2fd6a5;--warn:#ff8a3d}}\
svg.board .cell{fill:var(--cell);stroke:var(--line)}svg.board .terminal{fill:none;stroke:var(--ink);stroke-width:2}\
svg.board .rim{stroke:var(--ink);stroke-width:15;stroke-linecap:round}\
svg.board .of-first{stroke:var(--black);stroke-width:12;stroke-linecap:round}\
svg.board .of-second{stroke:var(--white);stroke-width:12;stroke-linecap:round}\
svg.board .edge{stroke:var(--line);stroke-width:1.5}\
svg.board .first{fill:var(--black);stroke:var(--ink)}svg.board .second{fill:var(--white);stroke:var(--ink)}\
svg.board .trace{fill:var(--shade);fill-opacity:.45}\
svg.board .mustplay{fill:none;stroke:var(--must);stroke-width:3}\
svg.board .winning{fill:none;stroke:var(--win);stroke-width:4}\
svg.board .dead path{stroke:var(--line);stroke-width:2}\
svg.board text{fill:var(--ink);text-anchor:middle;dominant-baseline:central}\
svg.board .names text{font-size:12px}\
svg.board .dominated text,svg.board .losing text{fill:var(--warn);font-size:20px;font-weight:bold}\
svg.board .hit{fill:transparent}svg.board .hit:focus,svg.board .hit:hover{stroke:var(--ink);stroke-width:2;outline:none}";

/// Where each element is drawn, and how.
struct Layout {
    places: Vec<Option<(f64, f64)>>,
    /// Corners of a cell; 0 for a circle.
    corners: usize,
    edges: Vec<(usize, usize)>,
    width: f64,
    height: f64,
}

/// The places of a board's elements; `None` if it can be drawn neither in rows nor as a graph.
fn layout(board: &Board) -> Option<Layout> {
    let lines = board.lines();
    let mut places = vec![None; board.elements()];
    if !lines.is_empty() {
        let slanted = lines.iter().any(|(indent, _)| *indent != lines[0].0);
        let step = if slanted { RADIUS * FRAC_PI_6.cos() * 2.0 } else { RADIUS * 2.0 };
        let down = if slanted { RADIUS * 1.5 } else { RADIUS * 2.0 };
        for (row, (indent, elements)) in lines.iter().enumerate() {
            for (column, &element) in elements.iter().enumerate() {
                let x = RADIUS * 1.5 + step * (column as f64 + *indent as f64 / 2.0);
                places[element] = Some((x, RADIUS * 1.5 + down * row as f64));
            }
        }
        return Some(fitted(places, if slanted { 6 } else { 4 }, Vec::new()));
    }
    // A graph: its vertices on a circle, terminals first and opposite each other.
    let Some(Goal::Vertices { graph, .. }) = board.goal(Side::First) else { return None };
    let vertices = board.elements();
    let radius = (vertices as f64 * RADIUS * 3.0 / TAU).max(RADIUS * 3.0);
    let (terminals, mut order): (Vec<usize>, Vec<usize>) = (0..vertices).partition(|&vertex| board.is_terminal(vertex));
    for (at, &terminal) in terminals.iter().enumerate() {
        order.insert((at * vertices / terminals.len()).min(order.len()), terminal);
    }
    for (at, &element) in order.iter().enumerate() {
        let angle = TAU * at as f64 / vertices.max(1) as f64 - FRAC_PI_2;
        let middle = radius + RADIUS * 1.5;
        places[element] = Some((middle + radius * angle.cos(), middle + radius * angle.sin()));
    }
    let edges = graph.edges().iter().map(|&(u, v)| (u as usize, v as usize));
    let edges = edges.filter(|&(u, v)| u < vertices && v < vertices).collect();
    Some(fitted(places, 0, edges))
}

fn fitted(places: Vec<Option<(f64, f64)>>, corners: usize, edges: Vec<(usize, usize)>) -> Layout {
    let most = |pick: fn(&(f64, f64)) -> f64| places.iter().flatten().map(pick).fold(0.0, f64::max) + RADIUS * 1.5;
    let (width, height) = (most(|place| place.0), most(|place| place.1));
    Layout { places, corners, edges, width, height }
}

impl Layout {
    /// The outline of a cell, shrunk by a factor.
    fn outline(&self, (x, y): (f64, f64), scale: f64, class: &str, more: &str) -> String {
        let radius = RADIUS * scale;
        match self.corners {
            0 => format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"{more}"),
            4 => format!(
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{2:.1}\" height=\"{2:.1}\"{more}",
                x - radius,
                y - radius,
                2.0 * radius
            ),
            _ => {
                // Corners are counted clockwise from the lower right one on, as sides are.
                let corner = |at: usize| {
                    let angle = FRAC_PI_6 + FRAC_PI_3 * at as f64;
                    format!("{:.1},{:.1}", x + radius * angle.cos(), y + radius * angle.sin())
                };
                let points = (0..6).map(corner).collect::<Vec<_>>().join(" ");
                format!("<polygon class=\"{class}\" points=\"{points}\"{more}")
            }
        }
    }
}

/// Text inside markup.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The drawing of a board with its marks; `None` if the board cannot be drawn.
pub fn svg(board: &Board, analysis: &Analysis, speech: &Speech<'_>) -> Option<String> {
    let layout = layout(board)?;
    let mut text = String::new();
    let legend = LAYERS.len() as f64 * 18.0 + 10.0;
    let (width, height) = (layout.width.max(300.0), layout.height + legend);
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">"
    );
    let _ = writeln!(text, "<title>{}</title>", escaped(&headline(analysis, speech)));
    let _ = writeln!(text, "<style>{STYLE}</style>");
    let _ = writeln!(text, "<rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>");
    for &(u, v) in &layout.edges {
        if let (Some(from), Some(to)) = (layout.places[u], layout.places[v]) {
            let _ = writeln!(
                text,
                "<line class=\"edge\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
                from.0, from.1, to.0, to.1
            );
        }
    }
    // Below the cells, so that they show outside only.
    text.push_str(&rims(board, &layout));
    let placed = || layout.places.iter().enumerate().filter_map(|(element, place)| Some((element, (*place)?)));
    for (_, place) in placed() {
        let _ = writeln!(text, "{}/>", layout.outline(place, 1.0, "cell", ""));
    }
    for (_, place) in placed().filter(|&(element, _)| board.is_terminal(element)) {
        let _ = writeln!(text, "{}/>", layout.outline(place, 0.85, "terminal", ""));
    }
    for (layer, _) in LAYERS {
        let _ = writeln!(text, "<g class=\"layer-{layer} {layer}\">");
        for (element, place) in placed() {
            if let Some(mark) = mark(layer, board, analysis, element, place, &layout) {
                let _ = writeln!(text, "{mark}");
            }
        }
        let _ = writeln!(text, "</g>");
    }
    for (element, (x, y)) in placed() {
        if let Some(side) = board.stone(element) {
            let class = if side == Side::First { "first" } else { "second" };
            let _ = writeln!(text, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", RADIUS * 0.7);
        }
    }
    // Last, so that it is on top: what the pointer and the keyboard find.
    for (element, place) in placed() {
        let why = reasons(analysis, Var::from_index(element), speech);
        let stone = board.stone(element).map(|side| board.side_name(side).to_owned());
        let words: Vec<String> = stone.into_iter().chain(why).collect();
        let name = escaped(&speech.element(Var::from_index(element)));
        let words = if words.is_empty() { String::new() } else { format!(": {}", escaped(&words.join("; "))) };
        let more = format!(" tabindex=\"0\"><title>{name}{words}</title></");
        let shape = layout.outline(place, 0.95, "hit", &more);
        let tag = match layout.corners {
            0 => "circle",
            4 => "rect",
            _ => "polygon",
        };
        let _ = writeln!(text, "{shape}{tag}>");
    }
    for (at, (layer, words)) in LAYERS.iter().enumerate() {
        let (x, y) = (26.0, layout.height + 9.0 + 18.0 * at as f64);
        let _ = writeln!(text, "<g class=\"{layer}\">{}</g>", sample(layer, x, y));
        let _ = writeln!(
            text,
            "<text x=\"{:.0}\" y=\"{y:.0}\" style=\"text-anchor:start;font-size:12px;font-weight:normal;fill:var(--ink)\">\
             {}</text>",
            x + 18.0,
            escaped(words)
        );
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// The borders of a board of hexagons in the colours of those who join them.
fn rims(board: &Board, layout: &Layout) -> String {
    // The colours go over all outlines, so that no seam shows.
    let (mut text, mut colours) = (String::new(), String::new());
    for (element, side, sides) in board.rules().rims() {
        let Some((x, y)) = layout.places[element] else { continue };
        let corner = |at: usize| {
            let angle = FRAC_PI_6 + FRAC_PI_3 * at as f64;
            format!("{:.1} {:.1}", x + RADIUS * angle.cos(), y + RADIUS * angle.sin())
        };
        for from in sides {
            let path = format!("M{}L{}", corner(from), corner(from + 1));
            let class = if side == Side::First { "of-first" } else { "of-second" };
            let _ = writeln!(text, "<path class=\"rim\" d=\"{path}\"/>");
            let _ = writeln!(colours, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
    text + &colours
}

/// The mark of a layer in the legend.
fn sample(layer: &str, x: f64, y: f64) -> String {
    match layer {
        "trace" => format!("<rect class=\"trace\" x=\"{}\" y=\"{}\" width=\"14\" height=\"12\"/>", x - 7.0, y - 6.0),
        "mustplay" => {
            format!("<rect class=\"mustplay\" x=\"{}\" y=\"{}\" width=\"13\" height=\"11\"/>", x - 6.0, y - 5.0)
        }
        "winning" => format!("<circle class=\"winning\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>"),
        "filled" => format!("<circle class=\"first\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>"),
        "dead" => cross(x, y, 5.0),
        "dominated" => format!("<text x=\"{x}\" y=\"{y}\">×</text>"),
        "losing" => format!("<text x=\"{x}\" y=\"{y}\">•</text>"),
        _ => format!("<text x=\"{x}\" y=\"{y}\">a1</text>"),
    }
}

fn cross(x: f64, y: f64, r: f64) -> String {
    format!("<path d=\"M{} {}L{} {}M{} {}L{} {}\"/>", x - r, y - r, x + r, y + r, x - r, y + r, x + r, y - r)
}

/// The mark of a layer on an element.
fn mark(
    layer: &str,
    board: &Board,
    analysis: &Analysis,
    element: usize,
    (x, y): (f64, f64),
    layout: &Layout,
) -> Option<String> {
    let var = Var::from_index(element);
    if !board.is_free(element) && layer != "names" {
        return None;
    }
    let side = analysis.side();
    let up = y - RADIUS * ABOVE;
    match layer {
        "trace" => side?.trace.contains(&var).then(|| format!("{}/>", layout.outline((x, y), 0.97, "trace", ""))),
        "mustplay" => {
            let inside = analysis.mustplay.as_ref()?.contains(&var);
            inside.then(|| format!("{}/>", layout.outline((x, y), 0.86, "mustplay", "")))
        }
        "winning" => {
            let wins = side?.moves.iter().any(|lit| lit.var() == var);
            wins.then(|| format!("<circle class=\"winning\" cx=\"{x:.1}\" cy=\"{up:.1}\" r=\"{:.1}\"/>", RADIUS * 0.42))
        }
        "filled" => {
            let fill = analysis.fill_of(var)?;
            let lit = fill.literals.iter().find(|lit| lit.var() == var)?;
            let owner = if lit.is_positive() { Player::Max } else { Player::Min };
            let class = if board.player(Side::First) == owner { "first" } else { "second" };
            Some(format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{up:.1}\" r=\"{:.1}\"/>", RADIUS * 0.26))
        }
        "dead" => {
            let dead = analysis.elements.iter().any(|report| report.element == var && report.sign == Sign::Dead);
            dead.then(|| cross(x, up, RADIUS * 0.4))
        }
        "dominated" => {
            let found = analysis.dominated.iter().any(|found| found.element == var);
            found.then(|| format!("<text x=\"{:.1}\" y=\"{up:.1}\">×</text>", x - RADIUS * 0.3))
        }
        "losing" => {
            let found = analysis.losing.iter().any(|found| found.choice.var() == var);
            found.then(|| format!("<text x=\"{:.1}\" y=\"{up:.1}\">•</text>", x + RADIUS * 0.3))
        }
        _ => {
            Some(format!("<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + RADIUS * BELOW, escaped(&board.name(element))))
                .filter(|_| board.is_free(element) || board.is_terminal(element))
        }
    }
}

/// One line about the whole.
pub fn headline(analysis: &Analysis, speech: &Speech<'_>) -> String {
    match (analysis.side(), analysis.decided) {
        (Some(side), _) => {
            format!("{} to move, {} wins", speech.player(side.first), speech.player(side.winner))
        }
        (None, Some(winner)) => format!("{} wins: filling alone decides", speech.player(winner)),
        (None, None) => format!("{} to move", speech.player(analysis.turn)),
    }
}

const PAGE_STYLE: &str = "\
:root{color-scheme:light dark}body{font:15px/1.5 sans-serif;margin:2rem;max-width:70rem;background:Canvas;color:CanvasText}\
main{display:flex;flex-wrap:wrap;gap:2rem;align-items:flex-start}table{border-collapse:collapse}\
td,th{border:1px solid #8a857866;padding:.2rem .6rem;text-align:left;vertical-align:top}\
fieldset{border:1px solid #8a857866}label{display:block}#why{min-height:3em}kbd{border:1px solid #8a8578;border-radius:3px;\
padding:0 .3em}";

/// Shows and hides layers by their boxes and by the number keys, and tells the reasons of the cell that has the focus.
const SCRIPT: &str = "\
const boxes=[...document.querySelectorAll('input[data-layer]')];\
const show=b=>document.querySelectorAll('.layer-'+b.dataset.layer).forEach(g=>g.style.display=b.checked?'':'none');\
boxes.forEach(b=>b.addEventListener('change',()=>show(b)));\
const why=document.getElementById('why');\
document.querySelectorAll('.hit').forEach(c=>['focus','mouseenter'].forEach(e=>c.addEventListener(e,()=>\
{if(why)why.textContent=c.querySelector('title').textContent})));\
document.addEventListener('keydown',e=>{const b=boxes[e.key-1];if(b&&!e.ctrlKey&&!e.metaKey&&!e.altKey)\
{b.checked=!b.checked;show(b)}});";

/// A page with the drawing, if there is one, layers that can be switched, and a table of the elements. `lines` are said
/// above the table.
pub fn page(title: &str, board: Option<&Board>, analysis: &Analysis, lines: &str, speech: &Speech<'_>) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\n<style>{PAGE_STYLE}</style></head><body>",
        escaped(title)
    );
    let _ = writeln!(text, "<h1>{}</h1>\n<p>{}</p>\n<main>", escaped(title), escaped(&headline(analysis, speech)));
    if let Some(drawing) = board.and_then(|board| svg(board, analysis, speech)) {
        let _ = writeln!(text, "<div>{drawing}</div>\n<div><fieldset><legend>Layers</legend>");
        for (at, (layer, words)) in LAYERS.iter().enumerate() {
            let _ = writeln!(
                text,
                "<label><input type=\"checkbox\" checked data-layer=\"{layer}\"> <kbd>{}</kbd> {}</label>",
                at + 1,
                escaped(words)
            );
        }
        let _ =
            writeln!(text, "</fieldset>\n<p id=\"why\" aria-live=\"polite\">Point at a cell, or press Tab.</p></div>");
    }
    let _ = writeln!(text, "<div><pre>{}</pre></div>\n</main>\n<table><thead><tr>", escaped(lines));
    let _ = writeln!(text, "<th>element</th><th>sign</th><th>weight</th><th>reasons</th></tr></thead><tbody>");
    for report in &analysis.elements {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{:.4}</td><td>{}</td></tr>",
            escaped(&speech.element(report.element)),
            report.sign,
            report.weight,
            escaped(&reasons(analysis, report.element, speech).join("; "))
        );
    }
    let _ = writeln!(text, "</tbody></table>\n<script>{SCRIPT}</script></body></html>");
    text
}
