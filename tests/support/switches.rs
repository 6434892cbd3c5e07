//! Switches of the search for games with an order.

use gamesat::options::SequentialOptions;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A small table, replies from the beginning on; all techniques in even rounds, a random subset of them in odd ones.
pub fn switches(random: &mut ChaCha8Rng, round: u64) -> SequentialOptions {
    let mut options = SequentialOptions::default();
    options.sequential_table = 1;
    options.replies_from = 0;
    if round % 2 == 1 {
        for technique in SequentialOptions::TECHNIQUES {
            options.set(technique.name, random.random());
        }
    }
    options
}
