// slidesparse/x_in_fours: x for 2:4, whose windows stand side by side: window w sees columns 4 w .. 4 w + 3.
// Gives: window_x.

// Columns 4 i .. 4 i + 3. The buffer ends on 16 bytes.
@group(0) @binding(3) var<storage, read> x: array<vec4<f32>>;

fn window_x(window: u32) -> vec4<f32> {
  return x[window];
}
