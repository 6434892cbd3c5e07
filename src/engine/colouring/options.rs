//! What can be switched in the game engine. Everything is on by default, and the answer never depends on it.

/// Switches and sizes of the game engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameOptions {
    /// Rows of one element: win at once, or be forced to answer.
    pub units: bool,
    /// Of a monotone element try only the rational colour.
    pub rational: bool,
    /// Forget elements on which the formula does not depend.
    pub dead: bool,
    /// Fill in sets that a player has captured.
    pub capture: bool,
    /// Elements of a set that is looked at for capture, 2 to 6.
    pub capture_size: usize,
    /// Skip moves that are dominated by another one.
    pub domination: bool,
    /// Skip moves outside the mustplay that the traces of refuted moves leave.
    pub mustplay: bool,
    /// Find pairing strategies.
    pub pairing: bool,
    /// Recognise positions that are won by taking the heaviest element each time.
    pub potential: bool,
    /// Solve independent parts of the formula on their own.
    pub decompose: bool,
    /// Identify positions that a symmetry of the formula maps onto each other.
    pub symmetry: bool,
    /// Order moves by the weight of their rows instead of by number.
    pub order: bool,
    /// Let moves that won elsewhere in the search come earlier.
    pub history: bool,
    /// Keep CNF and DNF where both are affordable.
    pub both_forms: bool,
    /// Control the search by proof numbers instead of alpha-beta.
    pub proof_number: bool,
    /// Size of the transposition table in MiB; 0 for none.
    pub table: usize,
    /// Number of threads; more than one makes everything but the verdict depend on chance.
    pub threads: usize,
}

impl Default for GameOptions {
    fn default() -> Self {
        GameOptions {
            units: true,
            rational: true,
            dead: true,
            capture: true,
            capture_size: 2,
            domination: true,
            mustplay: true,
            pairing: true,
            potential: true,
            decompose: true,
            symmetry: true,
            order: true,
            history: true,
            both_forms: true,
            proof_number: false,
            table: 256,
            threads: 1,
        }
    }
}

impl GameOptions {
    /// Everything off: plain alpha-beta.
    pub fn plain() -> Self {
        GameOptions {
            units: false,
            rational: false,
            dead: false,
            capture: false,
            capture_size: 2,
            domination: false,
            mustplay: false,
            pairing: false,
            potential: false,
            decompose: false,
            symmetry: false,
            order: false,
            history: false,
            both_forms: false,
            proof_number: false,
            table: 0,
            threads: 1,
        }
    }
}
