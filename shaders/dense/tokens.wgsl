// dense/tokens: reads eight columns of a row of activations, in the order in which weights are stored.

// Eight columns of a token: two times four neighbours.
struct Columns {
  low: vec4<f32>,
  high: vec4<f32>,
}

// variant eights or halves: the length of a row is a multiple of 8.

// Columns 4 i .. 4 i + 3 of all tokens, one token after the other.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;

// variant ones or halves_ones: any length, with 0 past the last column, where the weights are 0 and x may be infinite.

// One token after the other.
@group(0) @binding(2) var<storage, read> x: array<f32>;

fn four_columns(token: u32, column: u32) -> vec4<f32> {
  let at = token * params.cols + column;
  let four = vec4(x[at], x[at + 1u], x[at + 2u], x[at + 3u]);
  return select(vec4(0.0), four, vec4(column) + vec4(0u, 1u, 2u, 3u) < vec4(params.cols));
}

// variant eights: eight neighbours.
// Provides: Columns, load_columns.  Requires: params.

// Columns 8 group .. 8 group + 7 of a token.
fn load_columns(token: u32, group: u32) -> Columns {
  let at = token * (params.cols / 4u) + 2u * group;
  return Columns(x[at], x[at + 1u]);
}

// variant ones: eight neighbours.
// Provides: Columns, load_columns.  Requires: params.

// Columns 8 group .. 8 group + 7 of a token.
fn load_columns(token: u32, group: u32) -> Columns {
  return Columns(four_columns(token, 8u * group), four_columns(token, 8u * group + 4u));
}

// variant halves: in the order of words of 4-bit cells: four columns, and four 16 columns further; rows a multiple of 32.
// Provides: Columns, load_columns.  Requires: params.

// The columns that word number `word` of a row is multiplied with.
fn load_columns(token: u32, word: u32) -> Columns {
  let at = token * (params.cols / 4u) + 2u * word - word % 4u;
  return Columns(x[at], x[at + 4u]);
}

// variant halves_ones: in the same order as halves, for any length.
// Provides: Columns, load_columns.  Requires: params.

// The columns that word number `word` of a row is multiplied with.
fn load_columns(token: u32, word: u32) -> Columns {
  let column = 8u * word - 4u * (word % 4u);
  return Columns(four_columns(token, column), four_columns(token, column + 16u));
}
