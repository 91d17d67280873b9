// dense/tokens_halves: rows of activations whose length is a multiple of 32, eight columns at a time as words of 4-bit cells
// have them.
// Gives: Columns, load_columns.  Takes: params.

// Columns 4 i .. 4 i + 3 of all tokens, one token after the other.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;

// Eight columns of a token: four, and the four that lie 16 columns on.
struct Columns {
  low: vec4<f32>,
  high: vec4<f32>,
}

// What word number `word` of a row meets.
fn load_columns(token: u32, word: u32) -> Columns {
  let at = token * (params.cols / 4u) + 2u * word - word % 4u;
  return Columns(x[at], x[at + 4u]);
}
