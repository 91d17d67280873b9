// dense/down: y = h Wd, a tile per workgroup.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums

// Four columns of a token each.
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>;

fn finish_four(token: u32, column: u32, sums: Sums) {
  if (token < params.m && column < params.n) {
    y[(token * params.c_stride + column) / 4u] = sums;
  }
}
