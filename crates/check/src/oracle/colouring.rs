//! What a set colouring game with any number of colours is worth, by its definition: plain minimax over colourings, remembered.
//! Every element is played out, whether anything depends on it or not, and whoever may colour nothing that is left passes.

use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Colouring, Lit, Player, Var};
use rustc_hash::FxHashMap;

/// Elements up to which a game is played out.
const MOST_ELEMENTS: usize = 64;

/// What minimax says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColouringValue {
    /// What MAX gets: the score, or 1 if MAX wins and 0 if MIN does.
    pub value: i64,
    /// Every move of the player to move with what MAX gets then.
    pub moves: Vec<(Lit, i64)>,
}

/// Evaluates a position by minimax.
///
/// # Errors
/// There are too many elements, or the reason to stop.
pub fn evaluate_colouring(game: &Colouring, control: &Control) -> Result<ColouringValue, StopReason> {
    if game.uncoloured() > MOST_ELEMENTS {
        return Err(StopReason::Unsupported(format!("plain recursion takes up to {MOST_ELEMENTS} elements")));
    }
    let mut colours: FxHashMap<Var, usize> = game.played().iter().map(|&a| (game.element(a), game.colour(a))).collect();
    let free: Vec<Var> = game.free().collect();
    let mut minimax = Minimax { game, free, memory: FxHashMap::default(), poller: control.poller(), nodes: 0 };
    let Some(mover) = game.mover() else {
        return Ok(ColouringValue { value: game.worth(|var| colours.get(&var).copied()), moves: Vec::new() });
    };
    let mut moves = Vec::new();
    for atom in game.moves() {
        colours.insert(game.element(atom), game.colour(atom));
        moves.push((atom, minimax.value(&mut colours, !mover)?));
        colours.remove(&game.element(atom));
    }
    let values = moves.iter().map(|&(_, value)| value);
    let best = if mover == Player::Max { values.max() } else { values.min() };
    Ok(ColouringValue { value: best.unwrap_or(0), moves })
}

struct Minimax<'a> {
    game: &'a Colouring,
    /// The elements that are free at the root.
    free: Vec<Var>,
    memory: FxHashMap<(Vec<Option<usize>>, Player), i64>,
    poller: Poller<'a>,
    nodes: u64,
}

impl Minimax<'_> {
    /// As deep as there are free elements, [`MOST_ELEMENTS`] at most.
    fn value(&mut self, colours: &mut FxHashMap<Var, usize>, turn: Player) -> Result<i64, StopReason> {
        let key: Vec<Option<usize>> = self.free.iter().map(|var| colours.get(var).copied()).collect();
        if let Some(&value) = self.memory.get(&(key.clone(), turn)) {
            return Ok(value);
        }
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        let able = |player: Player| {
            self.free.iter().any(|&var| !colours.contains_key(&var) && self.game.choices(player, var) != 0)
        };
        let mover = [turn, !turn].into_iter().find(|&player| able(player));
        let value = match mover {
            None => self.game.worth(|var| colours.get(&var).copied()),
            Some(mover) => {
                let mut best: Option<i64> = None;
                for at in 0..self.free.len() {
                    let element = self.free[at];
                    if colours.contains_key(&element) {
                        continue;
                    }
                    let choices = self.game.choices(mover, element);
                    for colour in (0..self.game.colours()).filter(|&colour| choices >> colour & 1 != 0) {
                        colours.insert(element, colour);
                        let after = self.value(colours, !mover);
                        colours.remove(&element);
                        let after = after?;
                        let better = |best: i64| if mover == Player::Max { after > best } else { after < best };
                        if best.is_none_or(better) {
                            best = Some(after);
                        }
                    }
                }
                best.unwrap_or(0)
            }
        };
        self.memory.insert((key, turn), value);
        Ok(value)
    }
}
