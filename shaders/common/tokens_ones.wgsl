// common/tokens_ones: rows of activations of any length; 0 past the last column.
// Gives: load_four.  Takes: params.

// One row after the other.
@group(0) @binding(1) var<storage, read> x: array<f32>;

// Columns 4 word .. 4 word + 3 of a row.
fn load_four(row: u32, word: u32) -> vec4<f32> {
  let first = row * params.cols + 4u * word;
  let left = params.cols - 4u * word;
  return select(
    vec4(0.0),
    vec4(x[first], x[first + 1u], x[first + 2u], x[first + 3u]),
    vec4(0u, 1u, 2u, 3u) < vec4(left),
  );
}
