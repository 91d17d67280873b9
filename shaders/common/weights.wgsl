// common/weights: the second operand of a GEMM, four values, or four words of them, at a time.

// variant f16 or f32 or i8 or i4: numbers.
// Provides: load_weights, Packed, load_packed, unpacked.

// Values 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<f32> {
  return unpacked(load_packed(i));
}

// variant f16 or f32 or i8: each stored on its own.

// Values 4 i .. 4 i + 3.
fn load_packed(i: u32) -> Packed {
  return weights[i];
}

// variant f16: two in a u32, the lower half first.

// Four values. The buffer ends on 8 bytes.
@group(0) @binding(2) var<storage, read> weights: array<vec2<u32>>;

// Four stored values: fewer registers for values that are not needed yet.
alias Packed = vec2<u32>;

fn unpacked(four: Packed) -> vec4<f32> {
  return vec4(unpack2x16float(four.x), unpack2x16float(four.y));
}

// variant f32: one in a u32.

// Four values. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> weights: array<vec4<f32>>;

// Four stored values.
alias Packed = vec4<f32>;

fn unpacked(four: Packed) -> vec4<f32> {
  return four;
}

// variant i8: signed bytes for sums in f32, four in a u32, the lowest byte first, to be multiplied by the scale of their row.

// Four values.
@group(0) @binding(2) var<storage, read> weights: array<u32>;

// Four stored values: fewer registers for values that are not needed yet.
alias Packed = u32;

fn unpacked(four: Packed) -> vec4<f32> {
  return vec4<f32>(unpack4xI8(four));
}

// variant i4: cells of 4 bits for sums in f32, 32 columns to a group of four words and a scale.

// include common/group_scales.wgsl#at_4: group_scale

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

// variant words: words of four signed bytes for sums in i32, the lowest byte first.
// Provides: load_weights.

// Four words.
@group(0) @binding(2) var<storage, read> weights: array<vec4<u32>>;

// Words 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<u32> {
  return weights[i];
}
