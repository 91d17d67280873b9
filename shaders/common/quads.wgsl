// common/quads: activations with four tokens side by side, as common/interleave stores them.

// variant f32: f32.
// Provides: quad_at.

// One to a column, four tokens after the other.
@group(0) @binding(4) var<storage, read_write> quads: array<vec4<f32>>;

fn quad_at(i: u32) -> vec4<f32> {
  return quads[i];
}

// variant f16: f16, two in a u32, the lower half first.
// Provides: quad_at.

// One to a column, four tokens after the other.
@group(0) @binding(4) var<storage, read_write> quads: array<vec2<u32>>;

fn quad_at(i: u32) -> vec4<f32> {
  let four = quads[i];
  return vec4(unpack2x16float(four.x), unpack2x16float(four.y));
}
