// slidesparse/values: reads the stored values of two neighbouring windows, two of each, as f16 or i8.

// variant f16: two in a u32, the lower half first.
// Provides: kept_values.

// Two windows per element.
@group(0) @binding(1) var<storage, read> values: array<vec2<u32>>;

fn kept_values(pair: u32) -> vec4<f32> {
  let words = values[pair];
  return vec4(unpack2x16float(words.x), unpack2x16float(words.y));
}

// variant i8: signed bytes, to be multiplied by the scale of their row.
// Provides: kept_values.

// Two windows per element, the lowest byte first.
@group(0) @binding(1) var<storage, read> values: array<u32>;

fn kept_values(pair: u32) -> vec4<f32> {
  return vec4<f32>(unpack4xI8(values[pair]));
}
