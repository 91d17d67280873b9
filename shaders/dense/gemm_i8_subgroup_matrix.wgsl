// dense/gemm_i8_subgroup_matrix: Y = Q(X) W^T with dense weights in i8, a tile per workgroup, multiplied by the matrix units
// of the device: exact integers, scaled once at the end.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: subgroups of 32 neighbouring lanes.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: subgroups, chromium-experimental-subgroup-matrix.
// Workgroup memory: (TILE_M + TILE_N) * (STEP + 16) B.
// Provides: row_words.

// include common/gemm_i8_subgroup_matrix.wgsl: main, params
// include common/row_scale.wgsl#at_4: row_scale
// include common/weights.wgsl#words: load_weights

// Words from one row to the next, a multiple of 4.
override STRIDE: u32 = 4u;

// A row at four words.
fn row_words(row: u32, word: u32) -> vec4<u32> {
  return load_weights((row * STRIDE + word) / 4u);
}
