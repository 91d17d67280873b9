// dense/gemm: Y = X W^T with dense weights, sums in f32, a tile per workgroup.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/gemm_main.wgsl: main
// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, store_tile
// include common/gemm_arithmetic.wgsl#f32: Words, Sums, multiply_add
// include common/gemm_sizes.wgsl: params
// include common/gemm_activations.wgsl: line_of_a, load_a
// include common/gemm_rows.wgsl: load_b
// include common/row_scale.wgsl#none or #at_4: row_scale
// include common/gemm_store.wgsl#fours or #ones: store_four

fn finish_four(token: u32, row: u32, sums: Sums) {
  let scales = vec4(row_scale(row), row_scale(row + 1u), row_scale(row + 2u), row_scale(row + 3u));
  store_four(token, row, sums * scales);
}
