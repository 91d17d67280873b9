// common/kept_fours: sums of vec4<f32> that shares leave in the memory that held x: of each share the sum of the row that it begins inside, and
// that of the row that goes on behind it; then a row and a mark.
// Gives: Sum, SHARE_WORDS, keep_sum, kept_sum.  Takes: keep_number, kept_number.

// Four tokens.
alias Sum = vec4<f32>;
// Words that a share leaves.
const SHARE_WORDS = 10u;

// The head of a share (`end` 0), or its tail (1).
fn keep_sum(share: u32, end: u32, sum: Sum) {
  let at = SHARE_WORDS * share + 4u * end;
  keep_number(at, sum.x);
  keep_number(at + 1u, sum.y);
  keep_number(at + 2u, sum.z);
  keep_number(at + 3u, sum.w);
}

fn kept_sum(share: u32, end: u32) -> Sum {
  let at = SHARE_WORDS * share + 4u * end;
  return Sum(kept_number(at), kept_number(at + 1u), kept_number(at + 2u), kept_number(at + 3u));
}
