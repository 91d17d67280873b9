// dense/sampled_product: the elements of a product where h is not 0, and 0 elsewhere; a tile per workgroup. All elements are
// computed, and most are discarded.
// Source: TwELL paper, the text on long rows at listing 5; GEMM as in every BLAS. Differs: every row, in f32.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums
// include dense/hidden.wgsl#f16 or #f32: four_of_h

// Four neurons of a token each; rows end in 0 up to a multiple of four.
@group(0) @binding(3) var<storage, read_write> products: array<vec4<f32>>;

fn finish_four(token: u32, neuron: u32, sums: Sums) {
  if (token >= params.m || neuron >= params.c_stride) {
    return;
  }
  // Compared as bits: then numbers that some devices treat as 0 count as not 0, and so does NaN.
  let magnitude = bitcast<vec4<u32>>(four_of_h((token * params.h_stride + neuron) / 4u)) & vec4(0x7fffffffu);
  products[(token * params.c_stride + neuron) / 4u] = select(vec4(0.0), sums, magnitude != vec4(0u));
}
