// common/interleave_f32: activations with four tokens side by side.
// Gives: store_quad.
// Source: ours. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(cols / 64), y = ceil(tokens / 4).  Needs: nothing.  Workgroup memory: 0 B.

// include common/interleave.wgsl: main

// One to a column, four tokens after the other.
@group(0) @binding(2) var<storage, read_write> quads: array<vec4<f32>>;

fn store_quad(i: u32, four: vec4<f32>) {
  quads[i] = four;
}
