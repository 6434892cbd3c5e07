//! The switches of the engines for games.

use gamesat_core::options;

options! {
    /// Switches and sizes of the set colouring engine.
    GameOptions {
        units: true, "Rows of one element: win at once, or be forced to answer";
        rational: true, "Of a monotone element try only the rational colour";
        dead: true, "Forget elements on which the formula does not depend";
        capture: true, "Fill in sets that a player has captured";
        domination: true, "Skip moves that are dominated by another one";
        mustplay: true, "Skip moves outside the mustplay that the traces of refuted moves leave";
        pairing: true, "Find pairing strategies";
        potential: true, "Recognise positions that are won by taking the heaviest element each time";
        decompose: true, "Solve independent parts of the formula on their own";
        symmetry: true, "Identify positions that a symmetry of the formula maps onto each other";
        order: true, "Order moves by the weight of their rows instead of by number";
        history: true, "Let moves that won elsewhere in the search come earlier";
        both_forms: true, "Keep CNF and DNF where both are affordable";
    }
    settings {
        /// Elements of a set that is looked at for capture, 2 to 6.
        capture_size: usize = 2;
        /// Elements of an independent part of a game that is not isotone up to which its canonical form is tabulated, up to
        /// 12; larger parts are solved.
        part_size: usize = 10;
        /// Control the search by proof numbers instead of alpha-beta.
        proof_number: bool = false;
        /// Size of the transposition table in MiB; 0 for none.
        table: usize = 256;
        /// Number of threads; more than one makes everything but the verdict depend on chance.
        threads: usize = 1;
    }
}

options! {
    /// Switches and sizes of the graph engine for vertex games.
    GraphOptions {
        dual_graph: true, "Give Cut a graph of its own where the board is planar";
        dead_cells: true, "Fill cells that lie on no induced path between the terminals";
        captured_pairs: true, "Fill pairs of cells that kill each other for a player";
        killed_cells: true, "Skip cells that another cell kills";
        capturing_moves: true, "Skip cells that another move captures";
        connections: true, "Find virtual connections: wins, losses and a mustplay without search";
        captured_carriers: true, "Let carriers of connections meet in captured cells";
        near_misses: true, "Where a connection lacks little, let the opponent try the few moves that count";
        cut_stones: true, "Solve the parts on either side of a chain that all ways lead through on their own";
        refuted_traces: true, "Skip moves outside the trace of a refuted one";
        resistance: true, "Order moves by the current through their cells";
        symmetric_positions: true, "Identify positions that a symmetry of the board maps onto each other, in vertex games";
        symmetric_moves: true, "Of moves that a symmetry maps onto each other solve one, when all moves are asked for";
        inherited_order: true, "Take the mover's currents from the position before instead of building connections anew";
    }
    settings {
        /// Of the moves that are left this percentage, and one, are looked at for a win.
        widening: usize = 15;
        /// Size of the graph engine's table in MiB.
        graph_table: usize = 1024;
        /// Number of threads; more than one makes everything but the verdict depend on chance.
        graph_threads: usize = 1;
    }
}

options! {
    /// Switches and sizes of the search of games with an order.
    SequentialOptions {
        rule_bounds: true, "Let the rules of a game prove bounds and leave out hopeless moves";
        seen_positions: true, "Remember positions of sequential games";
        mirror_images: true, "Identify positions that a symmetry of the board maps onto each other, or whose graphs are the same";
        value_parity: true, "Draw bounds together to values that the game can have";
        seen_replies: true, "Look up the positions behind all moves before entering one of them";
        seen_moves: true, "Try the move first that was best when the position was seen before";
        rule_order: true, "Order moves by what the rules of the game think of them";
        move_history: true, "Let moves come earlier that were enough elsewhere";
        narrow_windows: true, "Find values by questions with two answers instead of one wide window";
        deepening: true, "Look one ply ahead, then two and so on, where the depth is limited";
    }
    settings {
        /// Size of the table of games with an order in MiB.
        sequential_table: usize = 256;
        /// Replies are looked up once a question has taken so many nodes: it is not worth it for easy ones.
        replies_from: u64 = 1 << 14;
        /// How many plies to look ahead in games with an order; to their end if nothing is said.
        look_ahead: Option<u8> = None;
        /// Solutions of a puzzle are counted up to so many.
        solutions: usize = 2;
    }
}

impl GameOptions {
    /// Everything off and no table: plain alpha-beta.
    pub fn plain() -> Self {
        GameOptions { table: 0, ..GameOptions::none() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_found_by_name() {
        let mut options = GameOptions::default();
        for technique in GameOptions::TECHNIQUES {
            assert_eq!(options.get(technique.name), Some(technique.default));
            assert!(options.set(technique.name, false));
        }
        assert_eq!(options, GameOptions::none());
        assert!(!options.set("magic", true));
        assert_eq!(options.get("magic"), None);
    }
}
