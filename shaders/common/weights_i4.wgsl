// common/weights_i4: the second operand of a GEMM with f32 sums in 4 bits, 32 columns to a group of four words and a scale.
// Gives: load_weights, Packed, load_packed, unpacked.

// include common/group_scales.wgsl: group_scale

// Four bytes: columns 4 w .. 4 w + 3 of a group in the low halves, 16 columns on in the high ones.
@group(0) @binding(2) var<storage, read> weights: array<u32>;

// Four cells in the low halves of four bytes, and the scale of their group: fewer registers for those that are not needed yet.
struct Packed {
  halves: u32,
  scale: f32,
}

// Values 4 i .. 4 i + 3.
fn load_packed(i: u32) -> Packed {
  let group = i / 8u;
  return Packed(weights[4u * group + i % 4u] >> (i & 4u), group_scale(group));
}

fn unpacked(four: Packed) -> vec4<f32> {
  return four.scale * (vec4<f32>(unpack4xU8(four.halves & 0x0f0f0f0fu)) - 8.0);
}

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  return unpacked(load_packed(i));
}
