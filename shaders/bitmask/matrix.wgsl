// bitmask/matrix: the arrays of a bitmask matrix, and a read of 32 columns of a row.
// Provides: params, mask, indptr, y, words_per_row, bits_from.

struct Params {
  rows: u32,
  cols: u32,
  tokens: u32, // 1 in y = A x
}

@group(0) @binding(0) var<uniform> params: Params;
// Cells 32 i .. 32 i + 31 of the row that the word belongs to, the lowest bit first.
@group(0) @binding(2) var<storage, read> mask: array<u32>;
// Values before row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// One per token and row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

fn words_per_row() -> u32 {
  return (params.cols + 31u) / 32u;
}

// The bits of 32 columns, beginning with `column` in the lowest bit, of the row whose first word is `row_word`. Bits past the
// last column belong to the next row.
fn bits_from(row_word: u32, column: u32) -> u32 {
  let word = row_word + column / 32u;
  let shift = column & 31u;
  // Two shifts, since a shift by 32 is not defined.
  return (mask[word] >> shift) | ((mask[word + 1u] << 1u) << (31u - shift));
}
