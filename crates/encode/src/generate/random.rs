//! The source of randomness of generators and players: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
//!
//! An instance is named by its family, parameters and seed, in papers and in tables of results. It must therefore be the
//! same with every version of every library, and that is why these lines are here and not in a dependency.

/// A seeded stream of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, each equally likely.
    ///
    /// # Panics
    /// If there is nothing to choose from.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing to choose from");
        let bound = bound as u64;
        // Values of the last, incomplete period would favour small results: draw again.
        let complete = u64::MAX - u64::MAX % bound;
        loop {
            let value = self.draw();
            if value < complete {
                return (value % bound) as usize;
            }
        }
    }

    /// One of these, if there is any.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.below(all.len())]) }
    }

    /// A fair coin.
    pub(super) fn coin(&mut self) -> bool {
        self.draw() >> 63 != 0
    }

    /// Fills `chosen` with `count` different numbers below `bound`, ascending.
    ///
    /// Floyd's sampling: time in proportion to `count` (squared, which is small), however large `bound` is.
    pub(super) fn sample(&mut self, bound: usize, count: usize, chosen: &mut Vec<usize>) {
        assert!(count <= bound, "not enough to choose from");
        chosen.clear();
        for top in bound - count..bound {
            let candidate = self.below(top + 1);
            chosen.push(if chosen.contains(&candidate) { top } else { candidate });
        }
        chosen.sort_unstable();
    }

    /// A random order of `items`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // The reference implementation's first outputs for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431];
        assert_eq!([(); 4].map(|()| random.draw()), expected);
    }

    #[test]
    fn samples_are_ascending_and_complete() {
        let mut random = Random::new(1);
        let mut chosen = Vec::new();
        let mut seen = [0; 6];
        for _ in 0..600 {
            random.sample(6, 3, &mut chosen);
            assert!(chosen.len() == 3 && chosen.is_sorted_by(|a, b| a < b));
            chosen.iter().for_each(|&i| seen[i] += 1);
        }
        assert!(seen.iter().all(|&count| (240..360).contains(&count)), "{seen:?}");
        random.sample(4, 4, &mut chosen);
        assert_eq!(chosen, [0, 1, 2, 3]);
    }
}
