//! Parsing speed, in bytes per second.

use criterion::{Criterion, criterion_group, criterion_main};

fn parsing(_: &mut Criterion) {}

criterion_group!(benches, parsing);
criterion_main!(benches);
