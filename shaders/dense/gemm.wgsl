// dense/gemm: Y = X W^T with dense weights, sums in f32, a tile per workgroup.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

fn finish_four(token: u32, row: u32, sums: Sums) {
  let scales = vec4(row_scale(row), row_scale(row + 1u), row_scale(row + 2u), row_scale(row + 3u));
  store_four(token, row, sums * scales);
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, params.cols, lane));
}
