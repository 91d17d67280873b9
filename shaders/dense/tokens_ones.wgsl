// dense/tokens_ones: rows of activations of any length, with 0 behind the last column: there the weights are 0, which must
// not meet an infinity.
// Gives: Columns, token_start, load_columns.  Takes: params.

// One token after the other.
@group(0) @binding(2) var<storage, read> x: array<f32>;

// Eight neighbouring columns of a token.
struct Columns {
  low: vec4<f32>,
  high: vec4<f32>,
}

fn four_columns(start: u32, column: u32) -> vec4<f32> {
  let at = start + column;
  let four = vec4(x[at], x[at + 1u], x[at + 2u], x[at + 3u]);
  return select(vec4(0.0), four, vec4(column) + vec4(0u, 1u, 2u, 3u) < vec4(params.cols));
}

// Where a token begins.
fn token_start(token: u32) -> u32 {
  return token * params.cols;
}

// Columns 8 group .. 8 group + 7 of a token.
fn load_columns(start: u32, group: u32) -> Columns {
  return Columns(four_columns(start, 8u * group), four_columns(start, 8u * group + 4u));
}
