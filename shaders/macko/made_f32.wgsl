// macko/made_f32: values that are stored as f32.
// Gives: store_eight.

// Values of all entries, and 0 up to a multiple of 8 of them.
@group(0) @binding(5) var<storage, read_write> values: array<vec4<u32>>;

// Entries 8 eight .. 8 eight + 7, by the bits of their values.
fn store_eight(eight: u32, low: vec4<u32>, high: vec4<u32>) {
  values[2u * eight] = low;
  values[2u * eight + 1u] = high;
}
