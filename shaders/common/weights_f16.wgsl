// common/weights_f16: the second operand of a GEMM as f16, two in a u32, the lower half first.
// Gives: load_weights, Packed, load_packed, unpacked.

// Four values. The buffer ends on 8 bytes.
@group(0) @binding(2) var<storage, read> weights: array<vec2<u32>>;

// Four values as they are stored: fewer registers for those that are not needed yet.
alias Packed = vec2<u32>;

// Values 4 i .. 4 i + 3.
fn load_packed(i: u32) -> Packed {
  return weights[i];
}

fn unpacked(four: Packed) -> vec4<f32> {
  return vec4(unpack2x16float(four.x), unpack2x16float(four.y));
}

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  return unpacked(load_packed(i));
}
