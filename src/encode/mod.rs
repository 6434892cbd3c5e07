//! Translators: boards to games, games to QBF, circuits to CNF.
