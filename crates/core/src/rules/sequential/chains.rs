//! What Strings-and-Coins positions are made of: chains, loops, dippers, joints and long edges, as players speak of them.
//!
//! A coin with one string left is a *singleton*, one with two a *binode*, one with more a *multinode* (a *joint*), with
//! exactly three a *trinode*. A *chain* is a maximal row of binodes; it is *open* if a singleton ends it, a *loop* if it
//! returns to itself, *complex* if a multinode bounds it, and *simple* otherwise. (D. Murphy: *Simulation of Mathematical
//! Games using Functional Programming*, 2015; S. Li, D. Li, X. Yuan: *Research and Implementation of Dots-and-Boxes Game
//! System*.)

use super::dots::Dots;

/// What is at the end of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// The ground.
    Wall,
    /// A coin with one string.
    Singleton(usize),
    /// A coin with two strings.
    Binode(usize),
    /// A coin with three strings or more.
    Multinode(usize),
}

/// How a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// In walls or multinodes on both sides.
    Closed,
    /// In a singleton on at least one side.
    Open,
    /// In itself.
    Loop,
}

/// A row of binodes, with the singletons that end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The coins.
    pub coins: Vec<usize>,
    /// The multinodes that bound it; twice the same if both ends do.
    pub bounds: Vec<usize>,
    /// How it ends.
    pub label: Label,
}

impl Chain {
    /// Number of coins.
    pub fn len(&self) -> usize {
        self.coins.len()
    }

    /// Never true: a chain has a coin.
    pub fn is_empty(&self) -> bool {
        self.coins.is_empty()
    }
}

/// The strings that are left, by coin.
#[derive(Clone, Debug)]
pub struct Network {
    ends: Vec<[Option<usize>; 2]>,
    at: Vec<Vec<usize>>,
}

impl Network {
    /// What is left of a position.
    pub fn new(dots: &Dots) -> Self {
        let mut network = Network { ends: dots.strings().to_vec(), at: vec![Vec::new(); dots.coins()] };
        for string in (0..network.ends.len()).filter(|&string| !dots.is_cut(string)) {
            for coin in network.ends[string].into_iter().flatten() {
                network.at[coin].push(string);
            }
        }
        network
    }

    /// Strings of a coin.
    pub fn degree(&self, coin: usize) -> usize {
        self.at[coin].len()
    }

    /// Coins that are left.
    pub fn coins(&self) -> usize {
        self.at.iter().filter(|strings| !strings.is_empty()).count()
    }

    /// Whether a multinode is left.
    pub fn has_joints(&self) -> bool {
        self.at.iter().any(|strings| strings.len() > 2)
    }

    /// A coin, or the ground, by the number of its strings. Coins that are taken are nobody's neighbours.
    pub fn node(&self, end: Option<usize>) -> Node {
        match end {
            None => Node::Wall,
            Some(coin) => match self.degree(coin) {
                0 | 1 => Node::Singleton(coin),
                2 => Node::Binode(coin),
                _ => Node::Multinode(coin),
            },
        }
    }

    /// The other end of a string.
    fn hop(&self, string: usize, coin: usize) -> Option<usize> {
        let [one, two] = self.ends[string];
        if one == Some(coin) { two } else { one }
    }

    /// Both ends of a string, ordered wall, singleton, binode, multinode.
    pub fn pair(&self, string: usize) -> (Node, Node) {
        let [one, two] = self.ends[string].map(|end| self.node(end));
        (one.min(two), one.max(two))
    }

    /// What lies beyond a binode, seen from one of its strings.
    fn beyond(&self, string: usize, coin: usize) -> Node {
        let other = self.at[coin].iter().find(|&&other| other != string);
        other.map_or(Node::Wall, |&other| self.node(self.hop(other, coin)))
    }

    /// The chain through a binode.
    pub fn chain(&self, binode: usize) -> Chain {
        let mut chain = Chain { coins: vec![binode], bounds: Vec::new(), label: Label::Closed };
        for &direction in &self.at[binode] {
            let (mut coin, mut string) = (binode, direction);
            loop {
                let next = self.hop(string, coin);
                match self.node(next) {
                    Node::Wall => break,
                    Node::Singleton(next) => {
                        chain.coins.push(next);
                        chain.label = Label::Open;
                        break;
                    }
                    Node::Multinode(next) => {
                        chain.bounds.push(next);
                        break;
                    }
                    // A row of binodes returns to its first one or to none.
                    Node::Binode(next) if next == binode => {
                        chain.label = Label::Loop;
                        return chain;
                    }
                    Node::Binode(next) => {
                        chain.coins.push(next);
                        string = self.at[next].iter().copied().find(|&other| other != string).unwrap_or(string);
                        coin = next;
                    }
                }
            }
        }
        chain
    }

    /// Every chain that has a binode.
    pub fn chains(&self) -> Vec<Chain> {
        let mut chains: Vec<Chain> = Vec::new();
        let mut seen = vec![false; self.at.len()];
        for coin in 0..self.at.len() {
            if self.degree(coin) == 2 && !seen[coin] {
                let chain = self.chain(coin);
                chain.coins.iter().for_each(|&coin| seen[coin] = true);
                chains.push(chain);
            }
        }
        chains
    }

    /// The trinode of a dipper, if the chain is its loop part: both ends are the same trinode.
    pub fn dipper(&self, chain: &Chain) -> Option<usize> {
        match chain.bounds[..] {
            [one, two] if one == two && self.degree(one) == 3 => Some(one),
            _ => None,
        }
    }

    /// The coins that are on offer once the chain is opened: of the loop part of a dipper everything.
    pub fn effective_length(&self, chain: &Chain) -> usize {
        let Some(trinode) = self.dipper(chain) else { return chain.len() };
        let joins_loop = |&&string: &&usize| self.hop(string, trinode).is_some_and(|coin| chain.coins.contains(&coin));
        let handle = self.at[trinode].iter().find(|string| !joins_loop(string));
        let handle = match handle.map(|&string| self.node(self.hop(string, trinode))) {
            Some(Node::Singleton(_)) => 1,
            Some(Node::Binode(coin)) => self.chain(coin).len(),
            _ => 0,
        };
        chain.len() + handle + 1
    }

    /// Whether opening and emptying `other` changes `chain`: a joint of both has two strings or fewer then.
    pub fn depends(&self, chain: &Chain, other: &Chain) -> bool {
        chain.bounds.iter().any(|joint| {
            let lost = other.bounds.iter().filter(|bound| *bound == joint).count();
            lost > 0 && self.degree(*joint) - lost <= 2
        })
    }
}

/// How a long edge, a row of binodes between joints or ground, is filed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filed {
    /// Of so many boxes, less than three: a move.
    Move(usize),
    /// It returns to where it begins.
    Loop,
    /// Long, from ground to ground.
    Chain,
    /// Long, and ends at a joint at least.
    String,
}

/// Files a long edge of so many boxes between two ends; `None` is the ground.
pub fn filed(boxes: usize, ends: [Option<usize>; 2]) -> Filed {
    match (boxes, ends) {
        (0..3, _) => Filed::Move(boxes),
        (_, [Some(one), Some(two)]) if one == two => Filed::Loop,
        (_, [None, None]) => Filed::Chain,
        _ => Filed::String,
    }
}

impl Network {
    /// Every row of binodes that is not open, as a long edge.
    pub fn long_edges(&self) -> Vec<Filed> {
        self.chains().iter().filter(|chain| chain.label != Label::Open).map(Chain::filed).collect()
    }
}

impl Chain {
    /// As what the row of binodes is filed. One that leaves a joint and returns to it may become a loop, and counts as one.
    pub fn filed(&self) -> Filed {
        match (self.label, &self.bounds[..]) {
            (Label::Loop, _) => filed(self.len(), [Some(self.coins[0]); 2]),
            (_, &[one, two]) => filed(self.len(), [Some(one), Some(two)]),
            (_, &[one]) => filed(self.len(), [Some(one), None]),
            _ => filed(self.len(), [None, None]),
        }
    }
}

impl Network {
    /// By how much the number of long chains changes when a string is cut that belongs to no row of binodes: only rows at its
    /// joints do.
    pub fn long_chains_gained(&mut self, string: usize) -> isize {
        let ends: Vec<usize> = self.ends[string].into_iter().flatten().collect();
        let joints: Vec<usize> = ends.iter().copied().filter(|&coin| self.degree(coin) == 3).collect();
        let network = &*self;
        let beside = |&joint: &usize| network.at[joint].iter().filter_map(move |&other| network.hop(other, joint));
        let before = network.long_through(joints.iter().flat_map(beside));
        ends.iter().for_each(|&coin| self.at[coin].retain(|&other| other != string));
        let after = self.long_through(joints.iter().copied());
        for coin in ends {
            let place = self.at[coin].partition_point(|&other| other < string);
            self.at[coin].insert(place, string);
        }
        after - before
    }

    /// How many long chains go through these coins.
    fn long_through(&self, coins: impl Iterator<Item = usize>) -> isize {
        let (mut met, mut count) = (Vec::new(), 0);
        for coin in coins {
            if self.degree(coin) == 2 && !met.contains(&coin) {
                let chain = self.chain(coin);
                count += isize::from(chain.label != Label::Open && chain.filed() == Filed::Chain);
                met.extend(chain.coins);
            }
        }
        count
    }
}

/// The numbers behind a decision whether to double-deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reckoning {
    /// Closed chains of one coin.
    pub ones: usize,
    /// Closed chains of two coins.
    pub twos: usize,
    /// What the one in control expects of short chains.
    pub short: usize,
    /// What he expects of long ones.
    pub long: usize,
    /// All coins in chains.
    pub coins: usize,
    /// Whether control is gained by double-dealing, and not by taking everything.
    pub by_dealing: bool,
}

impl Reckoning {
    /// The reckoning over chains, one of which is open. `None` without a long chain that is not.
    pub fn of(chains: &[Chain], open: &Chain) -> Option<Self> {
        let closed = || chains.iter().filter(|chain| chain.label != Label::Open);
        let count = |length| closed().filter(|chain| chain.len() == length).count();
        let (ones, twos) = (count(1), count(2));
        let handout = |chain: &Chain| if chain.label == Label::Loop { 4 } else { 2 };
        // The last one to be opened is the longest, of equals a simple one: loops go first.
        let long = || closed().filter(|chain| chain.len() > 2);
        let last = long().max_by_key(|chain| (chain.len(), chain.label != Label::Loop))?;
        let all: usize = long().map(|chain| chain.len() - handout(chain)).sum();
        let by_dealing = (ones + twos) % 2 == 0;
        let half = |count: usize, up: bool| if up { count.div_ceil(2) } else { count / 2 };
        let short = match (by_dealing, ones % 2 == 0) {
            (true, even) => half(ones, true) + 2 * half(twos, even),
            (false, even) => half(ones, false) + 2 * half(twos, !even) + open.len(),
        };
        Some(Reckoning {
            ones,
            twos,
            short,
            long: all + handout(last),
            coins: chains.iter().map(Chain::len).sum(),
            by_dealing,
        })
    }

    /// Whether to double-deal: if that gains control and control is worth at least half, or if the other way gains control
    /// and control is worth less.
    pub fn deals(&self) -> bool {
        self.by_dealing == (2 * (self.short + self.long) >= self.coins)
    }
}

/// The policy that scores every string by what it joins.
#[derive(Clone, Debug)]
pub struct Policy {
    network: Network,
    /// What the policy thinks of opening the chain of a coin.
    sacrifices: Vec<i32>,
    deals: bool,
    deals_complex: bool,
}

impl Policy {
    /// The policy in a position.
    pub fn new(dots: &Dots) -> Self {
        Self::of(Network::new(dots))
    }

    fn of(network: Network) -> Self {
        let chains = network.chains();
        let deals = double_deal(&network, &chains);
        let deals_complex = double_deal_complex(&network, &chains);
        let mut sacrifices = vec![0; network.at.len()];
        for chain in &chains {
            let worth = -2 * network.effective_length(chain) as i32 + i32::from(chain.label == Label::Loop);
            chain.coins.iter().for_each(|&coin| sacrifices[coin] = worth);
        }
        Policy { network, sacrifices, deals, deals_complex }
    }

    /// What the policy thinks of cutting a string that is there: 3 a coin for nothing, 2 a double-deal, 1 a coin of a chain,
    /// 0 a safe move, and less for sacrifices.
    pub fn priority(&self, string: usize) -> i32 {
        let network = &self.network;
        let half_open = |deals: bool, refused: i32| if deals { 2 } else { refused };
        match network.pair(string) {
            (Node::Wall, Node::Singleton(_))
            | (Node::Singleton(_), Node::Singleton(_))
            | (Node::Singleton(_), Node::Multinode(_)) => 3,
            (Node::Singleton(_), Node::Binode(_)) => 1,
            (Node::Wall | Node::Multinode(_), Node::Multinode(_)) => 0,
            (Node::Wall, Node::Binode(coin)) => match network.beyond(string, coin) {
                Node::Singleton(_) => half_open(self.deals, -4),
                _ => self.sacrifices[coin],
            },
            (Node::Binode(one), Node::Binode(two)) => {
                match (network.beyond(string, one), network.beyond(string, two)) {
                    (Node::Singleton(_), Node::Singleton(_)) => half_open(self.deals, -8),
                    (Node::Wall | Node::Multinode(_), Node::Wall | Node::Multinode(_)) => -3,
                    _ => self.sacrifices[one],
                }
            }
            (Node::Binode(coin), Node::Multinode(_)) => match network.beyond(string, coin) {
                Node::Singleton(_) => half_open(self.deals_complex, -4),
                _ => self.sacrifices[coin],
            },
            // Pairs are ordered, and no string joins the ground with itself.
            _ => 0,
        }
    }
}

/// Whether to double-deal on the one open chain, by the rule of the policy: never with several open chains, without a long
/// one, or with a joint left.
pub fn double_deal(network: &Network, chains: &[Chain]) -> bool {
    let mut open = chains.iter().filter(|chain| chain.label == Label::Open);
    match (open.next(), open.next(), network.has_joints()) {
        (Some(open), None, false) => Reckoning::of(chains, open).is_some_and(|reckoning| reckoning.deals()),
        _ => false,
    }
}

/// The same on an open chain that ends at a trinode: as if the chain ended at the ground, and the trinode were a binode.
pub fn double_deal_complex(network: &Network, chains: &[Chain]) -> bool {
    let mut open = chains.iter().filter(|chain| chain.label == Label::Open);
    let (Some(chain), None) = (open.next(), open.next()) else { return false };
    let Some(&trinode) = chain.bounds.iter().find(|&&joint| network.degree(joint) == 3) else { return false };
    let joins = |&&string: &&usize| network.hop(string, trinode).is_some_and(|coin| chain.coins.contains(&coin));
    let Some(&string) = network.at[trinode].iter().find(joins) else { return false };
    let mut apart = network.clone();
    apart.at[trinode].retain(|&other| other != string);
    apart.ends[string] = apart.ends[string].map(|end| end.filter(|&coin| coin != trinode));
    let chains = apart.chains();
    double_deal(&apart, &chains)
}
