// slidesparse/values_i8: the kept values of two neighbouring windows as signed bytes, to be multiplied by the scale of
// their row.
// Gives: kept_values.

// Two windows each, the lowest byte first.
@group(0) @binding(1) var<storage, read> values: array<u32>;

fn kept_values(pair: u32) -> vec4<f32> {
  return vec4<f32>(unpack4xI8(values[pair]));
}
