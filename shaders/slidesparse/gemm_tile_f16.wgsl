// slidesparse/gemm_tile_f16: tiles and output of Y = X W^T with weights in f16 and sums in f32, one lane four tokens and
// four rows; dense and slid weights differ in what they stage and multiply.
// Gives: Params, params, x, y, TILE, PITCH, token_values, stage_token, tokens_at, store_sums.
// Workgroup memory: 8.1 KiB.

struct Params {
  tokens: u32,
  cols: u32,
  rows: u32,
  stride: u32, // words, or windows, from one row of weights to the next
}

@group(0) @binding(0) var<uniform> params: Params;

// The activations of every token, one token after the other.
@group(0) @binding(1) var<storage, read> x: array<f32>;
// One row of sums per token.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Tokens, and rows of weights, of a workgroup.
const TILE = 64u;
// One more than TILE: neighbouring columns of a token then lie in neighbouring banks.
const PITCH = 65u;

// Up to 32 columns of every token of the tile.
var<workgroup> token_values: array<f32, 32u * PITCH>;

// Puts column `column` of a token at place `at` of the tile; 0 behind the last column and the last token.
fn stage_token(at: u32, token: u32, line: u32, column: u32) {
  var value = 0.0;
  if (token < params.tokens && column < params.cols) {
    value = x[token * params.cols + column];
  }
  token_values[at * PITCH + line] = value;
}

// Four neighbouring tokens at a place of the tile.
fn tokens_at(at: u32, first: u32) -> vec4<f32> {
  let i = at * PITCH + first;
  return vec4(token_values[i], token_values[i + 1u], token_values[i + 2u], token_values[i + 3u]);
}

// The sums of one row for four tokens.
fn store_sums(first_token: u32, row: u32, sums: vec4<f32>) {
  if (row >= params.rows) {
    return;
  }
  for (var i = 0u; i < 4u; i++) {
    if (first_token + i < params.tokens) {
      y[(first_token + i) * params.rows + row] = sums[i];
    }
  }
}
