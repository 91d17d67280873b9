// common/own_tokens: how many tokens a pass multiplies, and where the activations of each begin.
// Provides: TOKENS, token_start.  Requires: params.

// How many there are, at least 1.
override TOKENS: u32 = 1u;

// Where the activations of token number `i` begin; past the last token, the last one is read again.
fn token_start(i: u32) -> u32 {
  return min(i, TOKENS - 1u) * params.cols;
}
