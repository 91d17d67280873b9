// slidesparse/gemm_i8_subgroup_matrix: Y = Q(X) W^T with SlideSparse weights in i8 and lifted activations, a tile per
// workgroup, multiplied by the matrix units of the device: exact integers, scaled once at the end.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: windows become whole words while they are
// staged, so that a word of weights meets a word of lifted activations, zeros included.
// Lanes: subgroups of 32 neighbouring lanes.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: subgroups, chromium-experimental-subgroup-matrix.
// Workgroup memory: (TILE_M + TILE_N) * (STEP + 16) B.
// Provides: row_words.

// include common/gemm_i8_subgroup_matrix.wgsl: main, params
// include common/row_scale.wgsl#at_5: row_scale
// include slidesparse/window_words.wgsl: window_words

// Windows from one row to the next, a multiple of 8.
override STRIDE: u32 = 8u;

// A row at four windows.
fn row_words(row: u32, window: u32) -> vec4<u32> {
  return window_words(row * STRIDE + window);
}
