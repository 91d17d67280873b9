// macko/made_f32: values that are stored as f32, four at a time.
// Gives: VALUES_AT_ONCE, with_value.

const VALUES_AT_ONCE = 4u;

// The values behind the first, and one more.
fn with_value(values: vec4<u32>, bits: u32) -> vec4<u32> {
  return vec4(values.yzw, bits);
}
