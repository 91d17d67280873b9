// common/gate_in_full: h = ReLU(x Wg^T), a tile per workgroup, stored dense as bf16.
// Source: TwELL paper, section 2; GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums
// include common/bf16_bits.wgsl: bf16_pairs

// Four neurons of a token each; rows end in 0 up to a multiple of four.
@group(0) @binding(3) var<storage, read_write> h: array<vec2<u32>>;

fn finish_four(token: u32, neuron: u32, sums: Sums) {
  if (token >= params.m || neuron >= params.c_stride) {
    return;
  }
  // A NaN is not above 0 and becomes 0; so does anything past the last neuron.
  let answers = (sums > vec4(0.0)) & (vec4(neuron) + vec4(0u, 1u, 2u, 3u) < vec4(params.n));
  h[(token * params.c_stride + neuron) / 4u] = bf16_pairs(select(vec4(0.0), sums, answers));
}
