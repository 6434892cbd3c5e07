//! Shannon's vertex game on random planar graphs: Delaunay graphs with some edges dropped.
//!
//! Points lie at random in a square, the terminals far to its left and right, so that an edge between them could be drawn
//! around everything and Cut has a graph too. Two points are joined if a circle through both has nothing else in it or on
//! it; four points on a circle thus lose both diagonals, which does no harm. The test is exact: the centres of such circles
//! lie on the bisector, and every other point cuts off a ray of it at a rational place.

use super::random::Random;
use super::{Family, GenerateError, Made, Parameter, Settings};
use gamesat_core::Problem;
use gamesat_core::graph::Graph;
use gamesat_core::rules::{Board, Shannon};

pub(super) const PLANAR: Family = Family {
    name: "shannon-planar",
    about: "Short begins and joins two terminals on a random planar graph; not known beforehand",
    source: "Delaunay graphs with edges dropped; the game in A. Lehman: A Solution of the Shannon Switching Game. SIAM J. \
             12, 1964, on vertices instead of edges",
    parameters: &[
        Parameter::number("vertices", "free vertices", 48, 1, 400),
        Parameter::number("drop", "percentage of the edges that are dropped", 15, 0, 100),
    ],
    seeded: true,
    build,
};

/// Points have coordinates below this.
const SIDE: usize = 1 << 12;

type Point = (i64, i64);

/// With a positive denominator.
type Fraction = (i128, i128);

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let vertices = settings.number("vertices");
    let mut random = Random::new(settings.seed);
    let mut points: Vec<Point> = Vec::with_capacity(vertices + 2);
    while points.len() < vertices {
        let point = (random.below(SIDE) as i64, random.below(SIDE) as i64);
        if !points.contains(&point) {
            points.push(point);
        }
    }
    let middle = SIDE as i64 / 2;
    points.extend([(-middle, middle), (3 * middle, middle)]);
    let mut graph = Graph::new(vertices + 2);
    for v in 0..points.len() {
        for u in 0..v {
            // The edges at terminals stay: otherwise many games would be over before they begin.
            if is_delaunay(&points, u, v) && (v >= vertices || random.below(100) >= settings.number("drop")) {
                graph.add_edge(u, v);
            }
        }
    }
    let shape = Shannon { graph, terminals: vec![vertices, vertices + 1], edges: false };
    Ok(Made { problem: Problem::Board(Board::new(shape)), answer: None })
}

/// Whether a circle through both points leaves all others outside.
fn is_delaunay(points: &[Point], u: usize, v: usize) -> bool {
    let minus = |a: Point, b: Point| (i128::from(a.0 - b.0), i128::from(a.1 - b.1));
    let along = minus(points[v], points[u]);
    // Bounds on the place of the centre, as fractions with positive denominators.
    let (mut above, mut below): (Option<Fraction>, Option<Fraction>) = (None, None);
    for w in (0..points.len()).filter(|&w| w != u && w != v) {
        let (from_u, from_v) = (minus(points[w], points[u]), minus(points[w], points[v]));
        let power = from_u.0 * from_v.0 + from_u.1 * from_v.1;
        let turn = 2 * (along.0 * from_u.1 - along.1 * from_u.0);
        let place = (power * turn.signum(), turn.abs());
        let less = |a: Fraction, b: Fraction| a.0 * b.1 < b.0 * a.1;
        match turn.signum() {
            1 if above.is_none_or(|bound| less(place, bound)) => above = Some(place),
            -1 if below.is_none_or(|bound| less(bound, place)) => below = Some(place),
            0 if power < 0 => return false,
            _ => {}
        }
    }
    match (below, above) {
        (Some(below), Some(above)) => below.0 * above.1 < above.0 * below.1,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_judged_exactly() {
        let square = [(0, 0), (2, 0), (2, 2), (0, 2)];
        assert!(is_delaunay(&square, 0, 1) && !is_delaunay(&square, 0, 2) && !is_delaunay(&square, 1, 3));
        let kite = [(0, 0), (10, 0), (5, 1), (5, -1)];
        assert!(is_delaunay(&kite, 2, 3) && !is_delaunay(&kite, 0, 1));
        let line = [(0, 0), (1, 0), (2, 0)];
        assert!(is_delaunay(&line, 0, 1) && !is_delaunay(&line, 0, 2));
    }
}
