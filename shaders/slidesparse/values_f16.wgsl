// slidesparse/values_f16: the two kept values of a window as f16 in one u32, the first in the lower half.
// Gives: values, kept_values.

// A window each.
@group(0) @binding(1) var<storage, read> values: array<u32>;

fn kept_values(window: u32) -> vec2<f32> {
  return unpack2x16float(values[window]);
}
