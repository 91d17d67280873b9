// common/weights_f32: the second operand of a GEMM as f32.
// Gives: load_weights.

// Four values. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> weights: array<vec4<f32>>;

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  return weights[i];
}
