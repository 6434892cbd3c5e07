//! Who moves when, in games in which the players do not simply take turns (*Set Colouring Games* 4.8).

use super::Player;

/// Who moves when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnOrder {
    /// The movers in order.
    movers: Vec<Player>,
    /// Where the part that is repeated for ever begins, if one is.
    repeats_from: Option<usize>,
}

/// Why a text is no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnOrderError {
    /// Nobody moves.
    #[error("an order names at least one move")]
    Empty,
    /// A word that is neither a player nor a number of moves.
    #[error("'{0}' is neither max, min nor a number of moves; a '*' stands behind the last one")]
    Word(String),
}

impl TurnOrder {
    /// Reads an order: numbers of moves, the players taking turns (`1,2*`), or players (`max,min,min,max`). What stands
    /// before a final `*` is repeated for ever, with numbers by each player in turn.
    ///
    /// # Errors
    /// The text is no order.
    pub fn parse(text: &str, first: Player) -> Result<Self, TurnOrderError> {
        let (mut movers, mut repeats_from) = (Vec::new(), None);
        let words: Vec<&str> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        let mut turn = first;
        for (at, &word) in words.iter().enumerate() {
            let wrong = || TurnOrderError::Word(word.to_owned());
            let last = at + 1 == words.len();
            let plain = word.strip_suffix('*').filter(|_| last).unwrap_or(word);
            let start = movers.len();
            match plain {
                "max" => movers.push(Player::Max),
                "min" => movers.push(Player::Min),
                number => {
                    let count: usize = number.parse().map_err(|_| wrong())?;
                    if count == 0 || count > 1000 {
                        return Err(wrong());
                    }
                    movers.extend(std::iter::repeat_n(turn, count));
                    turn = !turn;
                    if plain != word {
                        // The other player has as many, and then it begins again.
                        movers.extend(std::iter::repeat_n(turn, count));
                    }
                }
            }
            if plain != word {
                repeats_from = Some(start);
            }
        }
        if movers.is_empty() { Err(TurnOrderError::Empty) } else { Ok(TurnOrder { movers, repeats_from }) }
    }

    /// How many moves it says; `None` if it has no end.
    pub fn moves(&self) -> Option<usize> {
        self.repeats_from.is_none().then_some(self.movers.len())
    }

    /// Who makes the move after so many others; `None` if the order has ended.
    pub fn mover(&self, place: usize) -> Option<Player> {
        match self.repeats_from {
            Some(from) if place >= self.movers.len() => {
                self.movers.get(from + (place - from) % (self.movers.len() - from)).copied()
            }
            _ => self.movers.get(place).copied(),
        }
    }

    /// The place itself, or an earlier one from which everything goes on in the same way.
    pub fn canonical(&self, place: usize) -> usize {
        match self.repeats_from {
            Some(from) if place >= from => from + (place - from) % (self.movers.len() - from),
            _ => place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        use Player::{Max, Min};
        let movers = |text: &str| {
            let order = TurnOrder::parse(text, Max).unwrap();
            (0..7).map(|place| order.mover(place)).collect::<Vec<_>>()
        };
        let list = |players: [Player; 7]| players.map(Some).to_vec();
        assert_eq!(movers("1,2*"), list([Max, Min, Min, Max, Max, Min, Min]));
        assert_eq!(movers("1*"), list([Max, Min, Max, Min, Max, Min, Max]));
        assert_eq!(movers("max,min,min*"), list([Max, Min, Min, Min, Min, Min, Min]));
        assert_eq!(movers("min max")[..3], [Some(Min), Some(Max), None]);
        for wrong in ["", "0", "1,x", "1*,2", "black"] {
            assert!(TurnOrder::parse(wrong, Max).is_err(), "{wrong}");
        }
    }
}
