// common/quads_f32: activations with four tokens side by side, as common/interleave_f32 leaves them.
// Gives: quad_at.

// One to a column, four tokens after the other.
@group(0) @binding(4) var<storage, read_write> quads: array<vec4<f32>>;

fn quad_at(i: u32) -> vec4<f32> {
  return quads[i];
}
