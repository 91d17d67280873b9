// dense/down: y = h Wd, a tile per workgroup.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

// Four columns of a token each.
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>;

fn finish_four(token: u32, column: u32, sums: Sums) {
  if (token < params.m && column < params.n) {
    y[(token * params.c_stride + column) / 4u] = sums;
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.m || first.y >= params.n) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, params.k, lane));
}
