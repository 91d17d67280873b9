// common/tokens: rows of activations, read four columns at a time.

// variant fours: the length of a row is a multiple of 4.
// Provides: load_four.  Requires: params.

// Columns 4 i .. 4 i + 3 of all rows, one row after the other.
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;

// Columns 4 i .. 4 i + 3 of a row.
fn load_four(row: u32, i: u32) -> vec4<f32> {
  return x[row * (params.cols / 4u) + i];
}

// variant known: the length of a row is a multiple of 4 that is known before the kernel is compiled.
// Provides: load_four.  Requires: COLS.

// Columns 4 i .. 4 i + 3 of all rows, one row after the other.
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;

// Columns 4 i .. 4 i + 3 of a row.
fn load_four(row: u32, i: u32) -> vec4<f32> {
  return x[row * (COLS / 4u) + i];
}

// variant ones: any length; 0 past the last column.
// Provides: load_four.  Requires: params.

// One row after the other.
@group(0) @binding(1) var<storage, read> x: array<f32>;

// Columns 4 i .. 4 i + 3 of a row.
fn load_four(row: u32, i: u32) -> vec4<f32> {
  let first = row * params.cols + 4u * i;
  let left = params.cols - 4u * i;
  return select(
    vec4(0.0),
    vec4(x[first], x[first + 1u], x[first + 2u], x[first + 3u]),
    vec4(0u, 1u, 2u, 3u) < vec4(left),
  );
}
