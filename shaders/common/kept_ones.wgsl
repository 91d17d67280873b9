// common/kept_ones: sums of f32 that shares leave in the memory that held x: of each share the sum of the row that it begins inside, and
// that of the row that goes on behind it; then a row and a mark.
// Gives: Sum, SHARE_WORDS, keep_sum, kept_sum.  Takes: keep_number, kept_number.

// include common/one_sum.wgsl: Sum

// Words that a share leaves.
const SHARE_WORDS = 4u;

// The head of a share (`end` 0), or its tail (1).
fn keep_sum(share: u32, end: u32, sum: Sum) {
  let at = SHARE_WORDS * share + end;
  keep_number(at, sum);
}

fn kept_sum(share: u32, end: u32) -> Sum {
  let at = SHARE_WORDS * share + end;
  return kept_number(at);
}
