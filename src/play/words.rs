//! How a game ends, or would end with best play, as one sentence that is the same wherever it is said.

use super::{Outcome, Position};
use gamesat_core::formula::Player;
use gamesat_core::problem::Problem;
use gamesat_core::rules::sequential::Sequential;

impl Position {
    /// How the game goes on with best play if the player to move scores so much from here on: of `person`, addressed as "you",
    /// or else of the player to move. `None` if the game is over.
    pub fn forecast(&self, value: i64, person: Option<Player>) -> Option<String> {
        let mover = self.turn()?;
        let sign = if mover == Player::Max { 1 } else { -1 };
        Some(self.sentence(self.gained() + sign * value, person.unwrap_or(mover), person.is_some()))
    }

    /// How the game has ended, for `person`, addressed as "you", or else for the winner. `None` if it goes on.
    pub fn ending(&self, person: Option<Player>) -> Option<String> {
        let outcome = self.outcome()?;
        let score = match &self.problem {
            Problem::Colouring(game) if game.weights().is_some() => {
                let of =
                    |var| game.played().iter().find(|&&atom| game.element(atom) == var).map(|&atom| game.colour(atom));
                Some(game.worth(of))
            }
            _ => self.score(),
        };
        let of = |player: Player| if player == Player::Max { 1 } else { -1 };
        Some(match (outcome, score) {
            (Outcome::Win(winner), Some(score)) => self.sentence(score, person.unwrap_or(winner), person.is_some()),
            (Outcome::Win(winner), None) => self.sentence(of(winner), person.unwrap_or(winner), person.is_some()),
            (Outcome::Draw, _) => "a draw".to_owned(),
        })
    }

    /// Who wins and by how much, given what MAX has in the end.
    fn sentence(&self, score: i64, of: Player, is_you: bool) -> String {
        let own = if of == Player::Max { score } else { -score };
        let name = if is_you { "you".to_owned() } else { self.player_name(of) };
        let verb = match own {
            0 => return "a draw".to_owned(),
            1.. if is_you => "win",
            1.. => "wins",
            _ if is_you => "lose",
            _ => "loses",
        };
        let margin = self.unit().map_or(String::new(), |[one, many]| {
            let count = own.unsigned_abs();
            format!(" by {count} {}", if count == 1 { one } else { many })
        });
        format!("{name} {verb}{margin}")
    }

    /// What a score counts, one of it and many, where it says by how much a game is won and not how soon.
    fn unit(&self) -> Option<[&'static str; 2]> {
        match &self.problem {
            Problem::Sequential(Sequential::Dots(dots)) if dots.grid().is_some() => Some(["box", "boxes"]),
            Problem::Sequential(Sequential::Dots(_)) => Some(["coin", "coins"]),
            Problem::Sequential(Sequential::Dominoes(_)) => Some(["point", "points"]),
            Problem::Colouring(game) if game.weights().is_some() => Some(["point", "points"]),
            _ => None,
        }
    }
}
