//! Set colouring games solved from the formula alone.
