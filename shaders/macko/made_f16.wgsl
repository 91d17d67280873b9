// macko/made_f16: values that are stored as f16.
// Gives: store_eight.

// include common/f16_bits.wgsl: f16_of

// Values of all entries, two in a word, and 0 up to a multiple of 8 of them.
@group(0) @binding(5) var<storage, read_write> values: array<vec4<u32>>;

// Entries 8 eight .. 8 eight + 7, by the bits of their values in f32.
fn store_eight(eight: u32, low: vec4<u32>, high: vec4<u32>) {
  values[eight] = vec4(
    f16_of(low.x) | (f16_of(low.y) << 16u),
    f16_of(low.z) | (f16_of(low.w) << 16u),
    f16_of(high.x) | (f16_of(high.y) << 16u),
    f16_of(high.z) | (f16_of(high.w) << 16u),
  );
}
