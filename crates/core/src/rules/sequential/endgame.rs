//! The end of Strings-and-Coins: independent chains and loops, and nothing else. Exact, by counting.
//!
//! Whoever must open a component offers all its coins. Of a chain of one or two coins, opened in the middle, the opponent can
//! only take everything and must then open the next one. Of a longer chain he may leave the last two, of a loop of four or
//! more the last four: that is a *double-deal*, and the turn passes. So if `t` coins are offered, `h` are the handout and the
//! rest is worth `v` to whoever opens it, the opponent gets the greater of `t + v` and `t - 2h - v`, which is
//! `t - h + |h + v|`. What is left depends on how many components of each kind there are and on nothing else, so the values
//! of all sub-multisets fit into a table of mixed radix.
//! (E. Berlekamp: *The Dots and Boxes Game*, 2000; D. Murphy, 2015.)

/// An independent component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component {
    /// A chain of so many coins between two strings to the ground.
    Chain(u16),
    /// A loop of so many coins.
    Loop(u16),
}

impl Component {
    /// Number of coins.
    pub fn coins(self) -> i32 {
        match self {
            Component::Chain(coins) | Component::Loop(coins) => i32::from(coins),
        }
    }

    /// How many coins a double-deal leaves once the component is opened as its opener likes best; `None` where no move
    /// passes the turn.
    pub fn handout(self) -> Option<i32> {
        match self {
            Component::Chain(3..) => Some(2),
            Component::Loop(4..) => Some(4),
            _ => None,
        }
    }
}

/// What the taker of `coins` on offer wins if the rest is worth `rest` to the one who moves there.
pub fn offered(coins: i32, handout: Option<i32>, rest: i32) -> i32 {
    match handout {
        None => coins + rest,
        Some(handout) => coins - handout + (handout + rest).abs(),
    }
}

/// Whether to double-deal when only the handout of an opened component is left beside the rest: the exact rule.
pub fn deals(handout: i32, rest: i32) -> bool {
    rest < -handout
}

/// The largest table.
const MOST: usize = 512;

/// What the player to move wins among these components, which must be sorted; `None` if there are too many different ones
/// for a small table.
pub fn value(components: &[Component]) -> Option<i32> {
    let mut kinds: [(Component, usize, usize); 12] = [(Component::Chain(0), 0, 0); 12];
    let (mut count, mut size) = (0, 1usize);
    for run in components.chunk_by(|one, two| one == two) {
        if count == kinds.len() || size * (run.len() + 1) > MOST {
            return None;
        }
        kinds[count] = (run[0], run.len(), size);
        (count, size) = (count + 1, size * (run.len() + 1));
    }
    let kinds = &kinds[..count];
    let mut values = [0i32; MOST];
    for index in 1..size {
        let open = |&(kind, most, radix): &(Component, usize, usize)| {
            let there = index / radix % (most + 1) > 0;
            there.then(|| -offered(kind.coins(), kind.handout(), values[index - radix]))
        };
        values[index] = kinds.iter().filter_map(open).max().unwrap_or(0);
    }
    Some(values[size - 1])
}
