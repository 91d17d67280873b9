// common/values_bf16: stored values as bf16, two in a u32, the lower half first.
// Gives: value_at.

// Eight values; the buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<u32>>;

// A bf16 is the upper half of an f32.
fn value_at(entry: u32) -> f32 {
  let pair = values[entry >> 3u][(entry >> 1u) & 3u];
  return bitcast<f32>(select(pair << 16u, pair & 0xffff0000u, (entry & 1u) == 1u));
}
