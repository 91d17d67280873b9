// dense/forward: h * (x Wu^T) in place of h, a tile per workgroup: the middle of gate, up and down.
// Source: TwELL paper, equation 1; GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Gives: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums
// include common/bf16_bits.wgsl: bf16_pairs

// h, four neurons of a token each, and then its products.
@group(0) @binding(3) var<storage, read_write> hidden: array<vec2<u32>>;

fn finish_four(token: u32, neuron: u32, sums: Sums) {
  if (token >= params.m || neuron >= params.c_stride) {
    return;
  }
  let at = (token * params.c_stride + neuron) / 4u;
  let words = hidden[at];
  let h = vec4(
    bitcast<f32>(words.x << 16u),
    bitcast<f32>(words.x & 0xffff0000u),
    bitcast<f32>(words.y << 16u),
    bitcast<f32>(words.y & 0xffff0000u),
  );
  hidden[at] = bf16_pairs(h * sums);
}
