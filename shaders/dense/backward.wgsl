// dense/backward: dh = dy Wd^T, and from it, neuron by neuron, h and the gradients of hu and of hg; a tile per workgroup.
// Here h = hg * hu, hg = ReLU(x Wg^T), the gate, and hu = x Wu^T; dhu is the gradient of hu, and so on.
// Source: TwELL paper, equation 4; GEMM as in every BLAS. Differs: every neuron, masked where hg is 0.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/matmul_main.wgsl: main
// include common/matmul.wgsl: params, Sums
// include dense/hidden.wgsl#f16 or #f32: four_of_h
// include common/gated_backward.wgsl: flow_back

// Gradients of hu, four neurons of a token each; rows end in 0 up to a multiple of four.
@group(0) @binding(3) var<storage, read_write> dhu: array<vec4<f32>>;
// Gradients of hg in the same order.
@group(0) @binding(5) var<storage, read_write> dhg: array<vec4<f32>>;
// hu in the same order.
@group(0) @binding(6) var<storage, read> up: array<vec4<f32>>;
// h in the same order.
@group(0) @binding(7) var<storage, read_write> h: array<vec4<f32>>;

fn finish_four(token: u32, neuron: u32, sums: Sums) {
  if (token >= params.m || neuron >= params.c_stride) {
    return;
  }
  let at = (token * params.c_stride + neuron) / 4u;
  // The buffer from which other kernels read h contains hg here, which is 0 past the last neuron.
  let hg = four_of_h((token * params.h_stride + neuron) / 4u);
  let hu = up[at];
  let a = flow_back(hg.x, hu.x, sums.x, params.l1_weight);
  let b = flow_back(hg.y, hu.y, sums.y, params.l1_weight);
  let c = flow_back(hg.z, hu.z, sums.z, params.l1_weight);
  let d = flow_back(hg.w, hu.w, sums.w, params.l1_weight);
  h[at] = vec4(a.h, b.h, c.h, d.h);
  dhu[at] = vec4(a.dhu, b.dhu, c.dhu, d.dhu);
  dhg[at] = vec4(a.dhg, b.dhg, c.dhg, d.dhg);
}
