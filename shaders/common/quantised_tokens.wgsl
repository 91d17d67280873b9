// common/quantised_tokens: sizes of Y = Q(X) W^T in i8, and the quantised activations: words of four bytes along the sums,
// then a scale for each token.
// Provides: params, activations, token_words, token_scale.

struct Params {
  tokens: u32,
  cols: u32,
  words: u32, // words of a row of activations and of weights, a multiple of 4
  rows: u32,
  stride: u32, // words, or windows, from one row of weights to the next
}

@group(0) @binding(0) var<uniform> params: Params;
// The words of every token, four at a time, then the bits of every token's scale.
@group(0) @binding(1) var<storage, read> activations: array<vec4<u32>>;

// A token at four words. Past the last token, the last one is read again; 0 past the last word. select instead of a
// branch, which would wait for the read.
fn token_words(token: u32, word: u32) -> vec4<u32> {
  let at = min(token, params.tokens - 1u) * params.words + min(word, params.words - 4u);
  return select(vec4(0u), activations[at / 4u], word < params.words);
}

fn token_scale(token: u32) -> f32 {
  let at = params.tokens * params.words + token;
  return bitcast<f32>(activations[at / 4u][at % 4u]);
}
