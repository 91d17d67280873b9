// common/gemm_sizes: sizes of Y = X W^T.
// Provides: params.

struct Params {
  tokens: u32, // rows of X and Y
  cols: u32, // columns of X and W
  rows: u32, // rows of W, columns of Y
  stride: u32, // elements from one row of W to the next
}

@group(0) @binding(0) var<uniform> params: Params;
