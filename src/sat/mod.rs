//! SAT backends behind one trait.
