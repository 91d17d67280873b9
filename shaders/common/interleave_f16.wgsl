// common/interleave_f16: activations as f16 with four tokens side by side.
// Gives: store_quad.
// Source: ours. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(cols / 64), y = ceil(tokens / 4).  Needs: nothing.  Workgroup memory: 0 B.

// include common/interleave.wgsl: main

// One to a column, four tokens after the other.
@group(0) @binding(2) var<storage, read_write> quads: array<vec2<u32>>;

fn store_quad(i: u32, four: vec4<f32>) {
  quads[i] = vec2(pack2x16float(four.xy), pack2x16float(four.zw));
}
