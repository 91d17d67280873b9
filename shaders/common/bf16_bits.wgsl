// common/bf16_bits: f32 to bf16, rounded to nearest, halves to even.
// Provides: bf16_of, bf16_bits, bf16_pairs.

// The nearest bf16 of an f32 that is given by its bits, in the lower half of the word. A NaN stays one.
fn bf16_of(bits: u32) -> u32 {
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return (bits >> 16u) | 0x40u;
  }
  return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}

fn bf16_bits(value: f32) -> u32 {
  return bf16_of(bitcast<u32>(value));
}

// Four values in two words, the first of two in the lower half.
fn bf16_pairs(values: vec4<f32>) -> vec2<u32> {
  return vec2(
    bf16_bits(values.x) | (bf16_bits(values.y) << 16u),
    bf16_bits(values.z) | (bf16_bits(values.w) << 16u),
  );
}
