// dense/forward: the second GEMM of a gated feed-forward block: products = h * (x Wu^T), element by element, a tile per
// workgroup. The first GEMM (gate) computes h, the third (down) multiplies the products. `params.h_stride` is no stride
// here: 1 stores x Wu^T in `up` for the backward pass, 0 leaves `up` as it is.
// Source: TwELL paper, equation 1; GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums
// include common/bf16_bits.wgsl: bf16_pairs

// Products, four neurons of a token each.
@group(0) @binding(3) var<storage, read_write> products: array<vec2<u32>>;
// h in the same order.
@group(0) @binding(4) var<storage, read> hidden: array<vec2<u32>>;
// x Wu^T in the same order; written only if params.h_stride is 1.
@group(0) @binding(5) var<storage, read_write> up: array<vec4<f32>>;

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
  products[at] = bf16_pairs(h * sums);
  if (params.h_stride == 1u) {
    up[at] = sums;
  }
}
