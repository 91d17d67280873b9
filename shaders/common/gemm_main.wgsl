// common/gemm_main: a tile of Y = X W^T per workgroup.
// Provides: main.  Requires: TILE_M, TILE_N, LANES, multiply_tile, store_tile, params.

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, 0u, params.cols, lane));
}
