// dense/up_down: h * (x Wu^T) of a gated feed-forward block (h: gate activations), as a tiled GEMM with a tile per workgroup,
// stored as bf16 for the product with Wd that follows.
// Source: TwELL paper, equation 1; GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums
// include dense/hidden.wgsl#f16 or #f32: four_of_h
// include common/bf16_bits.wgsl: bf16_pairs

// Four neurons of a token each; rows end in 0 up to a multiple of four.
@group(0) @binding(3) var<storage, read_write> products: array<vec2<u32>>;

fn finish_four(token: u32, neuron: u32, sums: Sums) {
  if (token >= params.m || neuron >= params.c_stride) {
    return;
  }
  // h is 0 past the last neuron.
  let h = four_of_h((token * params.h_stride + neuron) / 4u);
  products[(token * params.c_stride + neuron) / 4u] = bf16_pairs(select(h * sums, vec4(0.0), h == vec4(0.0)));
}
