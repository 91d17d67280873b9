// slidesparse/values_i8: the two kept values of a window as signed bytes, to be multiplied by the scale of their row.
// Gives: values, kept_values.

// Two windows each, the lower half first.
@group(0) @binding(1) var<storage, read> values: array<u32>;

fn kept_values(window: u32) -> vec2<f32> {
  let half = values[window >> 1u] >> (16u * (window & 1u));
  return vec2<f32>(unpack4xI8(half).xy);
}
