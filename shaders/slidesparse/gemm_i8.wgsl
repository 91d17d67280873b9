// slidesparse/gemm_i8: Y = Q(X) W^T with slid weights in i8 and lifted activations, a tile per workgroup: exact integers,
// scaled once at the end.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: windows become whole words while they are
// staged, so that a word of weights meets a word of lifted activations, zeros included.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, store_tile
// include common/gemm_quantised.wgsl: params, load_a, finish_four, Words, Sums, multiply_add
// include slidesparse/gemm_windows_i8.wgsl: load_b
// include slidesparse/row_scales.wgsl: row_scale

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, params.words, lane));
}
