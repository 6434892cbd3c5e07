//! Signals only set a flag; whoever waits for the solver looks at it.

use gamesat::solve::Interrupt;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};
use std::io;

/// An interrupt that SIGINT, SIGTERM and SIGXCPU trigger. A second SIGINT or SIGTERM ends the program at once, as
/// someone who presses the keys twice expects.
pub fn interrupt_on_signals() -> io::Result<Interrupt> {
    let interrupt = Interrupt::new();
    for signal in [SIGINT, SIGTERM] {
        // Registered first, so it acts only when the flag is set already.
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, interrupt.flag())?;
        signal_hook::flag::register(signal, interrupt.flag())?;
    }
    // SIGXCPU repeats every second beyond the soft limit: never a reason to drop the answer.
    signal_hook::flag::register(SIGXCPU, interrupt.flag())?;
    Ok(interrupt)
}
