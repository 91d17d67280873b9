// dense/tokens_eights: rows of activations whose length is a multiple of 8.
// Gives: Columns, load_columns.  Takes: params.

// Columns 4 i .. 4 i + 3 of all tokens, one token after the other.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;

// Eight neighbouring columns of a token.
struct Columns {
  low: vec4<f32>,
  high: vec4<f32>,
}

// Columns 8 group .. 8 group + 7 of a token.
fn load_columns(token: u32, group: u32) -> Columns {
  let at = token * (params.cols / 4u) + 2u * group;
  return Columns(x[at], x[at + 1u]);
}
