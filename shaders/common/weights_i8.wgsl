// common/weights_i8: the second operand of a GEMM with f32 sums as signed bytes, four in a u32, the lowest byte first, to
// be multiplied by the scale of their row.
// Gives: load_weights, Packed, load_packed, unpacked.

// Four values.
@group(0) @binding(2) var<storage, read> weights: array<u32>;

// Four values as they are stored: fewer registers for those that are not needed yet.
alias Packed = u32;

// Values 4 i .. 4 i + 3.
fn load_packed(i: u32) -> Packed {
  return weights[i];
}

fn unpacked(four: Packed) -> vec4<f32> {
  return vec4<f32>(unpack4xI8(four));
}

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  return unpacked(load_packed(i));
}
