// common/weights_f16: the second operand of a GEMM as f16, two in a u32, the lower half first.
// Gives: load_weights.

// Four values. The buffer ends on 8 bytes.
@group(0) @binding(2) var<storage, read> weights: array<vec2<u32>>;

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  let word = weights[i];
  return vec4(unpack2x16float(word.x), unpack2x16float(word.y));
}
