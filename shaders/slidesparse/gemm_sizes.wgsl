// slidesparse/gemm_sizes: sizes of Y = X W^T with slid weights.
// Gives: params.

struct Params {
  tokens: u32, // rows of X and Y
  cols: u32, // columns of X and W
  rows: u32, // rows of W, columns of Y
  stride: u32, // windows of a row of W
  windows_per_group: u32, // N - 1 to 2 N columns; no override, so that a pipeline serves every pattern
}

@group(0) @binding(0) var<uniform> params: Params;
