// common/weights_i8: the second operand of a GEMM with f32 sums as signed bytes, four in a u32, the lowest byte first, to
// be multiplied by the scale of their row.
// Gives: load_weights.

// Four values.
@group(0) @binding(2) var<storage, read> weights: array<u32>;

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  return vec4<f32>(unpack4xI8(weights[i]));
}
