// common/quads_f16: activations as f16 with four tokens side by side, as common/interleave_f16 leaves them.
// Gives: quad_at.

// One to a column, four tokens after the other.
@group(0) @binding(4) var<storage, read_write> quads: array<vec2<u32>>;

fn quad_at(i: u32) -> vec4<f32> {
  let four = quads[i];
  return vec4(unpack2x16float(four.x), unpack2x16float(four.y));
}
