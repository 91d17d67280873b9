// dense/tokens_eights: rows of activations whose length is a multiple of 8.
// Gives: Columns, token_start, load_columns.  Takes: params.

// Columns 4 i .. 4 i + 3 of all tokens, one token after the other.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;

// Eight neighbouring columns of a token.
struct Columns {
  low: vec4<f32>,
  high: vec4<f32>,
}

// Where a token begins.
fn token_start(token: u32) -> u32 {
  return token * (params.cols / 4u);
}

// Columns 8 group .. 8 group + 7 of a token.
fn load_columns(start: u32, group: u32) -> Columns {
  let at = start + 2u * group;
  return Columns(x[at], x[at + 1u]);
}
