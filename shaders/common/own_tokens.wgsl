// common/own_tokens: the tokens that a pass multiplies.
// Gives: TOKENS, FIRST_TOKEN, token_start.  Takes: params.

// All tokens, at least 1.
override TOKENS: u32 = 1u;
// The first of those that a workgroup has sums for.
override FIRST_TOKEN: u32 = 0u;

// Where the activations of a workgroup's token number `i` begin; the last token takes the place of those that do not exist.
fn token_start(i: u32) -> u32 {
  return min(FIRST_TOKEN + i, TOKENS - 1u) * params.cols;
}
