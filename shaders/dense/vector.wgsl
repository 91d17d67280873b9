// dense/vector: x in f32, four columns per element.
// Provides: x, inside.
// Requires: params.

// Columns 4 i .. 4 i + 3. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;

// x of four columns, with 0 past the last one: the cells stored there are 0, and x there may be anything, also infinite.
fn inside(four: vec4<f32>, first_column: u32) -> vec4<f32> {
  return select(vec4(0.0), four, vec4(first_column) + vec4(0u, 1u, 2u, 3u) < vec4(params.cols));
}
