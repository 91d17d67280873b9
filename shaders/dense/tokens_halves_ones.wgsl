// dense/tokens_halves_ones: the same for rows of any length, with 0 past the last column: there the weights are 0, which must
// not meet an infinity.
// Gives: Columns, load_columns.  Takes: params.

// One token after the other.
@group(0) @binding(2) var<storage, read> x: array<f32>;

// Eight columns of a token: four, and the four that lie 16 columns on.
struct Columns {
  low: vec4<f32>,
  high: vec4<f32>,
}

fn four_columns(token: u32, column: u32) -> vec4<f32> {
  let at = token * params.cols + column;
  let four = vec4(x[at], x[at + 1u], x[at + 2u], x[at + 3u]);
  return select(vec4(0.0), four, vec4(column) + vec4(0u, 1u, 2u, 3u) < vec4(params.cols));
}

// What word number `word` of a row meets.
fn load_columns(token: u32, word: u32) -> Columns {
  let column = 8u * word - 4u * (word % 4u);
  return Columns(four_columns(token, column), four_columns(token, column + 16u));
}
