// common/matmul_main: a tile of C = A B per workgroup; every sum of the tile is passed to finish_four.
// Provides: main.

// include common/matmul.wgsl: params, TILE_M, TILE_N, LANES, multiply_tile, store_tile

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.m || first.y >= params.n) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, 0u, params.k, lane));
}
