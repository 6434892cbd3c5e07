//! Sets of consistent terms as rows of bits over literal codes, of any width, and what multiplying out takes.

use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{ClauseArena, Lit, Var};

/// Occurring variables, numbered densely, so that a term is a short row of bits.
pub(super) struct LocalVars {
    vars: Vec<Var>,
}

impl LocalVars {
    pub(super) fn new(vars: impl Iterator<Item = Var>) -> Self {
        let mut vars: Vec<Var> = vars.collect();
        vars.sort_unstable();
        vars.dedup();
        LocalVars { vars }
    }

    pub(super) fn len(&self) -> usize {
        self.vars.len()
    }

    /// The variable with a number.
    pub(super) fn var(&self, number: usize) -> Var {
        self.vars[number]
    }

    /// The number of a variable.
    pub(super) fn number(&self, var: Var) -> usize {
        self.vars.binary_search(&var).unwrap_or_else(|_| unreachable!("all variables are listed"))
    }

    /// Words in a term.
    pub(super) fn width(&self) -> usize {
        (2 * self.vars.len()).div_ceil(64).max(1)
    }

    pub(super) fn code(&self, lit: Lit) -> usize {
        2 * self.number(lit.var()) + usize::from(lit.is_negative())
    }
}

/// Terms without absorbed ones.
#[derive(Clone)]
pub(super) struct Terms {
    width: usize,
    bits: Vec<u64>,
}

/// Terms, unless there are too many.
pub(super) type Limited = Result<Option<Terms>, StopReason>;

impl Terms {
    /// No term: false.
    pub(super) fn empty(width: usize) -> Self {
        Terms { width, bits: Vec::new() }
    }

    /// The empty term: true.
    pub(super) fn unit(width: usize) -> Self {
        Terms { width, bits: vec![0; width] }
    }

    pub(super) fn single(width: usize, code: usize) -> Self {
        let mut terms = Terms::unit(width);
        terms.bits[code / 64] |= 1 << (code % 64);
        terms
    }

    fn len(&self) -> usize {
        self.bits.len() / self.width
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, u64> {
        self.bits.chunks_exact(self.width)
    }

    /// Multiplies by a clause, given as literal codes.
    ///
    /// A term that meets the clause stays. Another one, `t`, is extended by each literal `l` of the clause. `t + l` can be
    /// absorbed only by a staying term that contains `l`: were it another extension `s + l`, `s` would absorb `t`.
    pub(super) fn multiply(&self, clause: &[usize], limit: usize, poller: &mut Poller<'_>) -> Limited {
        let has = |row: &[u64], code: usize| row[code / 64] >> (code % 64) & 1 != 0;
        let mut result = Terms::empty(self.width);
        let (stay, extend): (Vec<&[u64]>, Vec<&[u64]>) =
            self.rows().partition(|row| clause.iter().any(|&code| has(row, code)));
        for row in &stay {
            result.bits.extend_from_slice(row);
        }
        for &code in clause {
            let rivals: Vec<&[u64]> = stay.iter().copied().filter(|row| has(row, code)).collect();
            for row in &extend {
                poller.poll(0)?;
                if has(row, code ^ 1) {
                    continue;
                }
                let start = result.bits.len();
                result.bits.extend_from_slice(row);
                result.bits[start + code / 64] |= 1 << (code % 64);
                let (_, new) = result.bits.split_at(start);
                if rivals.iter().any(|rival| covers(rival, new)) {
                    result.bits.truncate(start);
                } else if result.len() > limit {
                    return Ok(None);
                }
            }
        }
        Ok(Some(result))
    }

    pub(super) fn product(&self, other: &Terms, limit: usize, poller: &mut Poller<'_>) -> Limited {
        let mut result = Terms::empty(self.width);
        let mut row = vec![0; self.width];
        for left in self.rows() {
            for right in other.rows() {
                for (word, (a, b)) in row.iter_mut().zip(left.iter().zip(right)) {
                    *word = a | b;
                }
                let contradictory = row.iter().any(|word| word & word >> 1 & 0x5555_5555_5555_5555 != 0);
                if !contradictory {
                    poller.poll(0)?;
                    result.insert(&row);
                    if result.len() > limit {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(result))
    }

    pub(super) fn union(&self, other: &Terms, limit: usize, poller: &mut Poller<'_>) -> Limited {
        let mut result = self.clone();
        for row in other.rows() {
            poller.poll(0)?;
            result.insert(row);
            if result.len() > limit {
                return Ok(None);
            }
        }
        Ok(Some(result))
    }

    /// Adds a term unless one inside it is there; removes those it is inside of.
    fn insert(&mut self, row: &[u64]) {
        if self.rows().any(|old| covers(old, row)) {
            return;
        }
        let mut kept = 0;
        for index in 0..self.len() {
            let at = index * self.width;
            if !covers(row, &self.bits[at..at + self.width]) {
                self.bits.copy_within(at..at + self.width, kept);
                kept += self.width;
            }
        }
        self.bits.truncate(kept);
        self.bits.extend_from_slice(row);
    }

    /// The terms as rows, short ones first.
    pub(super) fn into_arena(self, local: &LocalVars) -> ClauseArena {
        let mut rows = ClauseArena::new();
        self.append_to(local, &mut rows, |lit| lit);
        sorted(&rows)
    }

    /// Appends the terms to rows, each literal changed in the same way.
    pub(super) fn append_to(&self, local: &LocalVars, rows: &mut ClauseArena, map: impl Fn(Lit) -> Lit) {
        for row in self.rows() {
            for (word, &bits) in row.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let code = 64 * word + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    rows.push_lit(map(local.vars[code / 2].lit(code & 1 == 0)));
                }
            }
            rows.finish();
        }
    }
}

/// The rows in order of their length and their literals.
pub(super) fn sorted(rows: &ClauseArena) -> ClauseArena {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| rows[a].len().cmp(&rows[b].len()).then_with(|| rows[a].cmp(&rows[b])));
    order.into_iter().map(|index| &rows[index]).collect()
}

/// Whether the term `small` is contained in `large`, so that it absorbs it.
fn covers(small: &[u64], large: &[u64]) -> bool {
    small.iter().zip(large).all(|(s, l)| s & !l == 0)
}
