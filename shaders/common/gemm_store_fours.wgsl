// common/gemm_store_fours: the output of Y = X W^T where the rows of W are a multiple of 4.
// Gives: store_four.  Takes: params.

// Four neighbouring sums of a token, one token after the other.
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>;

// The sums of a token with four rows of W; nothing for tokens and rows that do not exist.
fn store_four(token: u32, row: u32, sums: vec4<f32>) {
  if (token < params.tokens && row < params.rows) {
    y[(token * params.rows + row) / 4u] = sums;
  }
}
