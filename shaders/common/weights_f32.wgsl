// common/weights_f32: the second operand of a GEMM as f32.
// Gives: load_weights, Packed, load_packed, unpacked.

// Four values. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> weights: array<vec4<f32>>;

// Four values as they are stored.
alias Packed = vec4<f32>;

// Values 4 i .. 4 i + 3.
fn load_packed(i: u32) -> Packed {
  return weights[i];
}

fn unpacked(four: Packed) -> vec4<f32> {
  return four;
}

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  return weights[i];
}
