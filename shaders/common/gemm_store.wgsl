// common/gemm_store: stores four neighbouring sums of a token in Y = X W^T.

// variant fours: the number of rows of W is a multiple of 4.
// Provides: store_four.  Requires: params.

// Four neighbouring sums of a token per element; one token after the other.
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>;

// The sums of a token with four rows of W; nothing for tokens and rows that do not exist.
fn store_four(token: u32, row: u32, sums: vec4<f32>) {
  if (token < params.tokens && row < params.rows) {
    y[(token * params.rows + row) / 4u] = sums;
  }
}

// variant ones: any number of rows of W.
// Provides: store_four.  Requires: params.

// A row of sums per token.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// The sums of a token with four rows of W; nothing for tokens and rows that do not exist.
fn store_four(token: u32, row: u32, sums: vec4<f32>) {
  if (token >= params.tokens) {
    return;
  }
  let at = token * params.rows + row;
  if (row < params.rows) { y[at] = sums.x; }
  if (row + 1u < params.rows) { y[at + 1u] = sums.y; }
  if (row + 2u < params.rows) { y[at + 2u] = sums.z; }
  if (row + 3u < params.rows) { y[at + 3u] = sums.w; }
}
