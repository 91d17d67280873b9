// dense/up_down: h * (x Wu^T), a tile per workgroup, stored as bf16 for the product with Wd that follows.
// Source: TwELL paper, equation 1; GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

// Four neurons of a token each; rows end in 0 up to a multiple of four.
@group(0) @binding(3) var<storage, read_write> products: array<vec2<u32>>;

fn finish_four(token: u32, neuron: u32, sums: Sums) {
  if (token >= params.m || neuron >= params.c_stride) {
    return;
  }
  // h is 0 behind the last neuron.
  let h = four_of_h((token * params.h_stride + neuron) / 4u);
  products[(token * params.c_stride + neuron) / 4u] = bf16_pairs(select(h * sums, vec4(0.0), h == vec4(0.0)));
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.m || first.y >= params.n) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, params.k, lane));
}
