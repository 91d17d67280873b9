// language/begin: embedding lookup: the row of a token is the first values of its stream, which layers then change.
// Provides: next_value.
// Requires: HIDDEN, state, ids, embedding, stream.

// Elements from one row of the table to the next.
override STRIDE: u32 = 1u;
// Whether the table is f16, two in a word, instead of f32.
override HALVES: u32 = 0u;
// The first of the rows that are bound: a table above the limit of a binding needs a dispatch for each of its parts.
override FIRST_ROW: u32 = 0u;
// How many rows are bound.
override ROWS: u32 = 1u;

fn next_value(token: u32, column: u32) -> f32 {
  let row = ids[state[0] + token] - FIRST_ROW;
  if (row >= ROWS) {
    // The row is in another part, whose dispatch has put it into the stream, or will.
    return stream[token * HIDDEN + column];
  }
  let at = row * STRIDE + column;
  if (HALVES != 0u) {
    return unpack2x16float(embedding[at >> 1u] >> (16u * (at & 1u))).x;
  }
  return bitcast<f32>(embedding[at]);
}
