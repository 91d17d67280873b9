// dense/tokens_known: rows of activations whose length, a multiple of 4, is known before the kernel is compiled, read four at a
// time.
// Gives: load_four.  Takes: COLS.

// Columns 4 i .. 4 i + 3 of all rows, one row after the other.
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;

// Columns 4 word .. 4 word + 3 of a row.
fn load_four(row: u32, word: u32) -> vec4<f32> {
  return x[row * (COLS / 4u) + word];
}
