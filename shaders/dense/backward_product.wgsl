// dense/backward_product: C = A B in f32, or C += A B; a tile per workgroup. For gradients, and for the intermediate sums
// of them. `params.h_stride` is no stride here: 1 adds the product to C, 0 overwrites C.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums

// Four columns of a row each.
@group(0) @binding(3) var<storage, read_write> product: array<vec4<f32>>;

fn finish_four(row: u32, column: u32, sums: Sums) {
  if (row >= params.m || column >= params.n) {
    return;
  }
  let at = (row * params.c_stride + column) / 4u;
  product[at] = select(sums, product[at] + sums, params.h_stride == 1u);
}
