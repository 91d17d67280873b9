// dense/matrix: sizes, x and output; the values come with the piece for their type.
// Gives: params, x, y, WORKGROUP_SIZE, FULL_STEPS, inside.

struct Params {
  rows: u32,
  cols: u32,
  stride: u32, // elements from one row to the next, a multiple of 8
}

@group(0) @binding(0) var<uniform> params: Params;

// Columns 4 i .. 4 i + 3. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;
// One sum per row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Steps in which every lane has eight columns, all of them there.
override FULL_STEPS: u32 = 0u;

// x of four columns, with 0 behind the last one: there stands a 0, which must not meet an infinity.
fn inside(four: vec4<f32>, first_column: u32) -> vec4<f32> {
  return select(vec4(0.0), four, vec4(first_column) + vec4(0u, 1u, 2u, 3u) < vec4(params.cols));
}
