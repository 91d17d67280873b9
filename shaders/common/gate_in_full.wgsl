// common/gate_in_full: h = ReLU(x Wg^T), a tile per workgroup, stored in full as bf16.
// Source: TwELL paper, section 2; GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

// Four neurons of a token each; rows end in 0 up to a multiple of four.
@group(0) @binding(3) var<storage, read_write> h: array<vec2<u32>>;

fn finish_four(token: u32, neuron: u32, sums: Sums) {
  if (token >= params.m || neuron >= params.c_stride) {
    return;
  }
  // A NaN is not above 0 and gives 0; so does what lies behind the last neuron.
  let answers = (sums > vec4(0.0)) & (vec4(neuron) + vec4(0u, 1u, 2u, 3u) < vec4(params.n));
  h[(token * params.c_stride + neuron) / 4u] = bf16_pairs(select(vec4(0.0), sums, answers));
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.m || first.y >= params.n) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, params.k, lane));
}
