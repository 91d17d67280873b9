// slidesparse/gemm: Y = X W^T with slid weights in f16, sums in f32, a tile per workgroup.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: weights slide back while they are staged.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Gives: finish_four.

// include common/gemm.wgsl: TILE_M, TILE_N, LANES, FOURS, multiply_tile, place_of_four, store_tile
// include common/gemm_arithmetic.wgsl#f32: Words, Sums, multiply_add
// include slidesparse/gemm_sizes.wgsl: params
// include common/gemm_activations.wgsl: line_of_a, load_a
// include common/tokens.wgsl#fours or #ones: load_four
// include slidesparse/gemm_windows_f16.wgsl: window_slots, load_b
// include common/gemm_store.wgsl#fours or #ones: store_four

// Whether one of this lane's sums is not finite.
var<private> met_infinity: bool;

fn finish_four(token: u32, row: u32, sums: Sums) {
  let exponent = vec4(0x7f800000u);
  met_infinity |= any((bitcast<vec4<u32>>(sums) & exponent) == exponent);
  store_four(token, row, sums);
}

// One sum of kept values alone. A kept slot without a non-zero holds 0, which must not meet an infinity.
fn guarded_sum(token: u32, row: u32) -> f32 {
  var sum = 0.0;
  for (var window = 0u; window < params.stride; window++) {
    let slots = window_slots(row * params.stride + window);
    let first = 2u * (window + window / params.windows_per_group);
    for (var i = 0u; i < 4u; i++) {
      let column = first + i;
      // Not `!= 0`: a NaN is unordered, and stays.
      if (column < params.cols && !(slots[i] == 0.0)) {
        sum = fma(slots[i], load_four(token, column / 4u)[column % 4u], sum);
      }
    }
  }
  return sum;
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, 0u, params.cols, lane));
  // 0 times infinity is NaN, so finite sums met none; the others are summed once more, with care.
  if (met_infinity) {
    let last = vec2(params.tokens, params.rows) - 1u;
    for (var i = 0u; i < FOURS; i++) {
      let at = first + place_of_four(lane, i);
      var sums: vec4<f32>;
      for (var j = 0u; j < 4u; j++) {
        sums[j] = guarded_sum(min(at.x, last.x), min(at.y + j, last.y));
      }
      store_four(at.x, at.y, sums);
    }
  }
}
