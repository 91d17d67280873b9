// common/store_tokens: the sums of a row for four tokens.
// Gives: store_tokens.  Takes: params, y.

fn store_tokens(row: u32, token: u32, sums: vec4<f32>) {
  let at = token * params.rows + row;
  if (token < params.tokens) { y[at] = sums.x; }
  if (token + 1u < params.tokens) { y[at + params.rows] = sums.y; }
  if (token + 2u < params.tokens) { y[at + 2u * params.rows] = sums.z; }
  if (token + 3u < params.tokens) { y[at + 3u * params.rows] = sums.w; }
}
