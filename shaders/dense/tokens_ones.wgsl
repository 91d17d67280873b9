// dense/tokens_ones: rows of activations of any length, with 0 past the last column: there the weights are 0, which must
// not meet an infinity.
// Gives: Columns, load_columns.  Takes: params.

// One token after the other.
@group(0) @binding(2) var<storage, read> x: array<f32>;

// Eight neighbouring columns of a token.
struct Columns {
  low: vec4<f32>,
  high: vec4<f32>,
}

fn four_columns(token: u32, column: u32) -> vec4<f32> {
  let at = token * params.cols + column;
  let four = vec4(x[at], x[at + 1u], x[at + 2u], x[at + 3u]);
  return select(vec4(0.0), four, vec4(column) + vec4(0u, 1u, 2u, 3u) < vec4(params.cols));
}

// Columns 8 group .. 8 group + 7 of a token.
fn load_columns(token: u32, group: u32) -> Columns {
  return Columns(four_columns(token, 8u * group), four_columns(token, 8u * group + 4u));
}
