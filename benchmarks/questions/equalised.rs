//! Equalised Hex: Black begins with one stone, then both place two a turn. Which first stones win?
//!
//! A search with traces and mustplay, made for this: the turn of two stones is two moves; who can join with the stones left in
//! the turn wins at once; who lets the opponent join with two stones loses, so one of the stones goes into every path of two
//! empty cells that the opponent has. As the two stones of a turn have no order, that one may be the first. Moves are ordered
//! by how many short paths of both run through a cell. Positions are filed up to a turn of the board by 180 degrees.

use std::time::Instant;

/// Cells that a player needs to win the position as it stands.
type Cells = u64;

#[derive(Clone, Copy)]
struct Entry {
    own: [Cells; 2],
    /// Stones left in the turn; 0 for an empty entry.
    left: u8,
    wins: bool,
    trace: Cells,
}

struct Search {
    side: usize,
    cells: usize,
    /// Bits of a row's neighbours: by cell.
    near: Vec<Cells>,
    /// For each player the cells of the two sides.
    sides: [[Cells; 2]; 2],
    table: Vec<Entry>,
    nodes: u64,
    /// Nodes at most.
    most: u64,
    stopped: bool,
}

/// A value: whether the mover wins, and what the winner needs.
type Value = (bool, Cells);

impl Search {
    fn new(side: usize, megabytes: usize) -> Self {
        let cells = side * side;
        let at = |x: usize, y: usize| 1u64 << (y * side + x);
        let mut near = vec![0; cells];
        for y in 0..side {
            for x in 0..side {
                let steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
                for (dx, dy) in steps {
                    let (u, v) = (x as i32 + dx, y as i32 + dy);
                    if (0..side as i32).contains(&u) && (0..side as i32).contains(&v) {
                        near[y * side + x] |= at(u as usize, v as usize);
                    }
                }
            }
        }
        let line = |cell: &dyn Fn(usize) -> Cells| (0..side).fold(0, |mask, i| mask | cell(i));
        let sides =
            [[line(&|i| at(i, 0)), line(&|i| at(i, side - 1))], [line(&|i| at(0, i)), line(&|i| at(side - 1, i))]];
        let entries = (megabytes << 20) / std::mem::size_of::<Entry>();
        let empty = Entry { own: [0, 0], left: 0, wins: false, trace: 0 };
        let size = entries.next_power_of_two() / 2;
        Search { side, cells, near, sides, table: vec![empty; size], nodes: 0, most: 0, stopped: false }
    }

    fn spread(&self, mut from: Cells) -> Cells {
        let mut found = 0;
        while from != 0 {
            found |= self.near[from.trailing_zeros() as usize];
            from &= from - 1;
        }
        found
    }

    /// Closure of cells under the player's stones.
    fn joined(&self, mut cells: Cells, own: Cells) -> Cells {
        let mut edge = cells;
        loop {
            edge = self.spread(edge) & own & !cells;
            if edge == 0 {
                return cells;
            }
            cells |= edge;
        }
    }

    /// By number of empty cells needed: what is reached from a side with so many at most, up to the other side.
    fn layers(&self, player: usize, from: usize, own: Cells, free: Cells, layers: &mut [Cells; 64]) -> usize {
        let goal = self.sides[player][1 - from];
        let start = self.sides[player][from];
        let mut reached = self.joined(start & own, own);
        layers[0] = reached;
        let mut count = 0;
        while reached & goal == 0 {
            let mut next = (self.spread(reached) | start) & free & !reached;
            if next == 0 {
                return usize::MAX;
            }
            next = self.joined(next | reached, own);
            reached |= next;
            count += 1;
            layers[count] = reached;
        }
        // Some more for the weights of cells beside the shortest paths.
        for layer in layers[..63].iter_mut().skip(count + 1).take(3) {
            let next = self.spread(reached) & free & !reached;
            reached |= self.joined(next | reached, own);
            *layer = reached;
        }
        count
    }

    /// A shortest path's empty cells, given the layers from the first side.
    fn path(&self, player: usize, count: usize, own: Cells, free: Cells, layers: &[Cells; 64]) -> Cells {
        let goal = self.sides[player][1];
        let mut path = 0;
        // What is joined to the goal by stones.
        let mut target = layers[count] & goal;
        for level in (1..=count).rev() {
            // An empty cell of this level in, or joined by stones to, the target.
            let inside = self.joined(target & own, own) | target;
            let candidates = (inside | self.spread(inside & own)) & free & layers[level] & !layers[level - 1];
            let cell = candidates & candidates.wrapping_neg();
            path |= cell;
            target = self.spread(cell) & layers[level - 1];
            if level == 1 {
                break;
            }
        }
        path
    }

    /// Whether the mover, with so many stones left in the turn, wins.
    fn solve(&mut self, own: [Cells; 2], mover: usize, left: u8) -> Value {
        self.nodes += 1;
        self.stopped |= self.nodes > self.most;
        if self.stopped {
            return (false, 0);
        }
        let all = (1u64 << self.cells) - 1;
        let free = all & !own[0] & !own[1];
        let mut layers = [[[0; 64]; 2]; 2];
        let mut count = [0; 2];
        for (player, view) in layers.iter_mut().enumerate() {
            for (from, found) in view.iter_mut().enumerate() {
                count[player] = self.layers(player, from, own[player], free, found);
                if count[player] == usize::MAX {
                    // The other one has joined its sides already.
                    return (player != mover, 0);
                }
            }
        }
        let other = 1 - mover;
        if count[other] == 0 {
            return (false, 0);
        }
        if count[mover] <= left as usize {
            return (true, self.path(mover, count[mover], own[mover], free, &layers[mover][0]));
        }
        let (key, place, turned) = self.place(own, left);
        let known = self.table[place];
        if known.left == left && known.own == key {
            return (known.wins, if turned { self.turned(known.trace) } else { known.trace });
        }
        let (mut mustplay, mut trace) = (free, 0);
        if count[other] <= 2 {
            mustplay = self.path(other, count[other], own[other], free, &layers[other][0]);
            trace = mustplay;
        }
        // Weights: the fewer cells a path through a cell needs, the better.
        let mut order: Vec<(u32, Cells)> = Vec::with_capacity(36);
        let mut rest = mustplay;
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let mut weight = 0;
            for (view, &count) in layers.iter().zip(&count) {
                let distance = |from: usize| {
                    view[from].iter().take(count + 4).position(|reached| reached & cell != 0).unwrap_or(20)
                };
                let through = distance(0) + distance(1) - 1;
                weight += 4096u32 >> (2 * (through - count.min(through))).min(12);
                weight += 64 >> count.min(6);
            }
            let at = cell.trailing_zeros() as usize;
            let (x, y) = (
                (at % self.side) as i32 * 2 + 1 - self.side as i32,
                (at / self.side) as i32 * 2 + 1 - self.side as i32,
            );
            weight = weight * 64 + (63 - (x.abs().max(y.abs()).max((x + y).abs())) as u32);
            order.push((weight, cell));
        }
        order.sort_unstable_by(|a, b| b.cmp(a));
        let mut value = None;
        for (_, cell) in order {
            if mustplay & cell == 0 {
                continue;
            }
            let mut after = own;
            after[mover] |= cell;
            let (wins, needs) = if left > 1 {
                self.solve(after, mover, left - 1)
            } else {
                let (wins, needs) = self.solve(after, other, 2);
                (!wins, needs)
            };
            if self.stopped {
                return (false, 0);
            }
            if wins {
                value = Some((true, needs | cell));
                break;
            }
            mustplay &= needs;
            trace |= needs;
        }
        let value = value.unwrap_or((false, trace));
        let trace = if turned { self.turned(value.1) } else { value.1 };
        self.table[place] = Entry { own: key, left, wins: value.0, trace };
        value
    }

    fn turned(&self, cells: Cells) -> Cells {
        cells.reverse_bits() >> (64 - self.cells)
    }

    /// The key of a position up to half a turn, its place in the table, and whether it was turned.
    fn place(&self, own: [Cells; 2], left: u8) -> ([Cells; 2], usize, bool) {
        let other = own.map(|cells| self.turned(cells));
        let (key, turned) = if other < own { (other, true) } else { (own, false) };
        let mut hash =
            key[0].wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key[1].wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(29);
        hash = (hash ^ u64::from(left)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (key, (hash >> 20) as usize & (self.table.len() - 1), turned)
    }
}

/// Every first stone up to half a turn, with at most so many million nodes each.
pub fn equalised(side: usize, millions: u64) {
    let name = |cell: usize| format!("{}{}", (b'a' + (cell % side) as u8) as char, cell / side + 1);
    // The middle first: it is the likeliest to win.
    let mut cells: Vec<usize> = (0..side * side).filter(|&cell| cell <= side * side - 1 - cell).collect();
    cells.sort_by_key(|&cell| {
        let (x, y) = ((cell % side) as i32 * 2 + 1 - side as i32, (cell / side) as i32 * 2 + 1 - side as i32);
        x.abs().max(y.abs()).max((x + y).abs())
    });
    let mut search = Search::new(side, 512);
    let mut total = 0;
    for cell in cells {
        (search.stopped, search.nodes, search.most) = (false, 0, millions * 1_000_000);
        let begun = Instant::now();
        let (white, _) = search.solve([1 << cell, 0], 1, 2);
        let verdict = match (search.stopped, white) {
            (true, _) => "open",
            (false, true) => "loses",
            (false, false) => "wins",
        };
        total += search.nodes;
        let image = side * side - 1 - cell;
        let images = if image == cell { name(cell) } else { format!("{} {}", name(cell), name(image)) };
        println!("{images} {verdict}, {} nodes, {:.1} s", search.nodes, begun.elapsed().as_secs_f64());
    }
    println!("{total} nodes");
}
