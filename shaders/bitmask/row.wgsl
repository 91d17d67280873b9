// bitmask/row: the arrays of a bitmask matrix.
// Gives: Params, params, mask, row_ptr, x, y.

struct Params {
  rows: u32,
  words_per_row: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Cells 32 i .. 32 i + 31 of the row that the word belongs to, the lowest bit first.
@group(0) @binding(2) var<storage, read> mask: array<u32>;
// Values before row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> row_ptr: array<u32>;
// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// The product of a cell with x: `before` values of the matrix come before the word, whose bits are `word`. Without a
// branch, so that many loads are under way; for an empty cell a neighbour's value is read and dropped.
fn cell_product(word: u32, bit: u32, before: u32, column: u32) -> f32 {
  let below = word & ((1u << bit) - 1u);
  let product = value_at(before + countOneBits(below)) * x[column];
  return select(0.0, product, ((word >> bit) & 1u) == 1u);
}
