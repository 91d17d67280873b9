// slidesparse/window_x: the four columns of x that a window sees.

// variant fours: x for 2:4, whose windows are side by side: window w sees columns 4 w .. 4 w + 3.
// Provides: window_x.

// Columns 4 i .. 4 i + 3. The buffer ends on 16 bytes.
@group(0) @binding(3) var<storage, read> x: array<vec4<f32>>;

fn window_x(window: u32) -> vec4<f32> {
  return x[window];
}

// variant pairs: x for windows that overlap. Lifting is done by index: window w sees four columns from
// 2 N floor(w / (N - 1)) + 2 (w mod (N - 1)) on.
// Provides: window_x.

// Columns 2 i and 2 i + 1. The buffer ends on 16 bytes.
@group(0) @binding(3) var<storage, read> x: array<vec2<f32>>;

// N - 1 windows to a group of 2 N columns.
override WINDOWS_PER_GROUP: u32 = 3u;

fn window_x(window: u32) -> vec4<f32> {
  // In pairs of columns: N to a group, and one from a window to the next. With w = (N - 1) g + l, N g + l is w + g.
  let pair = window + window / WINDOWS_PER_GROUP;
  return vec4(x[pair], x[pair + 1u]);
}
