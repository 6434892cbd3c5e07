//! Text formats, reader and writer side by side.
