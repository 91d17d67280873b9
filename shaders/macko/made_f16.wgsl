// macko/made_f16: values that are stored as f16, eight at a time.
// Gives: VALUES_AT_ONCE, with_value.

// include common/f16_bits.wgsl: f16_of

const VALUES_AT_ONCE = 8u;

// The values behind the first, and one more that is given by its bits in f32.
fn with_value(values: vec4<u32>, bits: u32) -> vec4<u32> {
  return (values >> vec4(16u)) | (vec4(values.yzw, f16_of(bits)) << vec4(16u));
}
