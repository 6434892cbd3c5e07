//! Decimal digits, eight bytes at once.
//!
//! A loop over the digits of a number ends after a different number of rounds each time, which no processor foresees;
//! in readers of large files that costs more than everything else. Here a number is one word of memory, its first digit
//! lowest, and its neighbours are added up: pairs, fours, eight.

/// One in every byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The bytes of a text as the values of digits; what is no digit becomes more than 9.
#[inline(always)]
pub fn values(text: u64) -> u64 {
    text ^ (EACH * b'0' as u64)
}

/// The highest bit of every byte that is more than 9.
#[inline(always)]
pub fn others(values: u64) -> u64 {
    (((values & (EACH * 0x7F)) + EACH * (0x80 - 10)) | values) & (EACH * 0x80)
}

/// The number that the first `bits / 8` values spell, `bits` being 8 to 64.
#[inline(always)]
pub fn number(values: u64, bits: u32) -> u32 {
    let digits = values << (64 - bits);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_their_digits_say() {
        for value in (0..20_000).chain((0..90_000).map(|i| i * 1_111)) {
            let mut text = [b'x'; 8];
            let digits = value.to_string();
            text[..digits.len()].copy_from_slice(digits.as_bytes());
            let values = values(u64::from_le_bytes(text));
            assert_eq!(others(values).trailing_zeros().min(64) / 8, digits.len() as u32);
            assert_eq!(number(values, 8 * digits.len() as u32), value);
        }
    }
}
