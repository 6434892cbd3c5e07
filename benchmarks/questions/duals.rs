//! Shannon graphs without a dual: all functions "s and t are joined by TRUE vertices" of graphs with up to seven vertices beside
//! s and t, and which of them have no dual among them: the function that is false where the other one is true with all colours
//! exchanged.
//!
//! Graphs on the vertices are made up to renaming, each with every way to join s and t to them; every new function brings all
//! its images with it.

use std::collections::HashSet;

/// Bit `x` is the value for the set `x` of vertices that are TRUE.
type Function = u128;

/// The function with two neighbouring vertices exchanged.
fn exchanged(f: Function, lower: usize) -> Function {
    // Sets with the lower vertex alone change places with those with the upper one alone.
    let shift = 1 << lower;
    let mut alone: Function = 0;
    for x in 0..128usize {
        if x >> lower & 3 == 1 {
            alone |= 1 << x;
        }
    }
    let moved = (f >> shift ^ f) & alone;
    f ^ moved ^ moved << shift
}

/// The exchanges of neighbours that lead through all orders of the vertices, each once (Steinhaus, Johnson, Trotter).
fn exchanges(vertices: usize) -> Vec<usize> {
    let (mut order, mut left): (Vec<usize>, Vec<bool>) = ((0..vertices).collect(), vec![true; vertices]);
    let mut all = Vec::new();
    loop {
        // The largest vertex that looks at a smaller one moves past it.
        let looks = |at: usize| {
            let next = if left[order[at]] { at.checked_sub(1) } else { Some(at + 1).filter(|&next| next < vertices) };
            next.filter(|&next| order[next] < order[at])
        };
        let Some((at, next)) = (0..vertices).filter_map(|at| Some((at, looks(at)?))).max_by_key(|&(at, _)| order[at])
        else {
            return all;
        };
        let moved = order[at];
        order.swap(at, next);
        left.iter_mut().skip(moved + 1).for_each(|left| *left = !*left);
        all.push(at.min(next));
    }
}

/// Answers for graphs with so many vertices, seven at most.
pub fn duals(vertices: usize) {
    let size = 1usize << vertices;
    let pairs: Vec<(usize, usize)> = (0..vertices).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
    let exchanges = exchanges(vertices);
    // 1. Graphs on the vertices up to renaming.
    let swap = |graph: usize, lower: usize| {
        let named = |v: usize| {
            if v == lower {
                lower + 1
            } else if v == lower + 1 {
                lower
            } else {
                v
            }
        };
        pairs.iter().enumerate().filter(|&(at, _)| graph >> at & 1 != 0).fold(0, |image, (_, &(u, v))| {
            let (u, v) = (named(u), named(v));
            image | 1 << (u.max(v) * (u.max(v) - 1) / 2 + u.min(v))
        })
    };
    let mut seen = vec![false; 1 << pairs.len()];
    let mut graphs = Vec::new();
    for graph in 0..1usize << pairs.len() {
        if seen[graph] {
            continue;
        }
        graphs.push(graph);
        let mut image = graph;
        seen[image] = true;
        for &lower in &exchanges {
            image = swap(image, lower);
            seen[image] = true;
        }
    }
    // 2. Their functions with every way to join s and t; of each class all images.
    let mut labelled: HashSet<Function> = HashSet::new();
    let mut classes: Vec<Function> = Vec::new();
    for &graph in &graphs {
        let mut neighbours = vec![0usize; vertices];
        for (_, &(u, v)) in pairs.iter().enumerate().filter(|&(at, _)| graph >> at & 1 != 0) {
            neighbours[u] |= 1 << v;
            neighbours[v] |= 1 << u;
        }
        for s in 0..size {
            // For each vertex the sets of TRUE vertices that join it to s.
            let mut joins = vec![0 as Function; vertices];
            for colours in 0..size {
                let mut reached = s & colours;
                loop {
                    let near = (0..vertices).filter(|v| reached >> v & 1 != 0).fold(0, |near, v| near | neighbours[v]);
                    let next = reached | near & colours;
                    if next == reached {
                        break;
                    }
                    reached = next;
                }
                (0..vertices).filter(|v| reached >> v & 1 != 0).for_each(|v| joins[v] |= 1 << colours);
            }
            // s and t may change places.
            for t in s..size {
                let f = (0..vertices).filter(|v| t >> v & 1 != 0).fold(0, |f, v| f | joins[v]);
                if labelled.insert(f) {
                    classes.push(f);
                    let mut image = f;
                    for &lower in &exchanges {
                        image = exchanged(image, lower);
                        labelled.insert(image);
                    }
                }
            }
        }
    }
    // 3. Those without a dual.
    let all = if size == 128 { u128::MAX } else { (1 << size) - 1 };
    let dual = |f: Function| !(f.reverse_bits() >> (128 - size)) & all;
    let without: Vec<Function> = classes.iter().copied().filter(|&f| !labelled.contains(&dual(f))).collect();
    println!("{vertices} vertices: {} functions, {} up to renaming", labelled.len(), classes.len());
    let live = |f: Function| (0..vertices).filter(|&v| depends(f, size, v)).count();
    let whole = without.iter().filter(|&&f| live(f) == vertices).count();
    println!(
        "without a dual: {} and the disconnected one; in {whole} of them every vertex counts",
        without.iter().filter(|&&f| f != 0).count()
    );
    for f in without.into_iter().filter(|&f| f != 0).take(60) {
        let minimal = (0..size)
            .filter(|&x| f >> x & 1 != 0 && (0..vertices).all(|v| x >> v & 1 == 0 || f >> (x & !(1 << v)) & 1 == 0));
        let sets: Vec<String> = minimal
            .map(|x| (0..vertices).filter(|v| x >> v & 1 != 0).map(|v| v.to_string()).collect::<String>())
            .collect();
        println!("  connectors {}", sets.join(" "));
    }
}

fn depends(f: Function, size: usize, vertex: usize) -> bool {
    (0..size).any(|x| x >> vertex & 1 == 0 && (f >> x ^ f >> (x | 1 << vertex)) & 1 != 0)
}
