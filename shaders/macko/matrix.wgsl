// macko/matrix: sizes, row starts and output; values and deltas come with the pieces for their types.
// Gives: Params, params, indptr, y.

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// First entry of row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;

// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;
