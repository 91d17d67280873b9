// slidesparse/gemm_slid_i8: the windows of a slid i8 matrix, put together again from two bytes and their slots.
// Gives: weights, metadata, weight_word.

// The two kept values of two windows each, the lower half first.
@group(0) @binding(3) var<storage, read> weights: array<u32>;
// Eight windows each, low nibble first.
@group(0) @binding(5) var<storage, read> metadata: array<u32>;

// A window of weights in the shape of its lifted activations: four bytes, two of them 0.
fn weight_word(row: u32, window: u32) -> u32 {
  let at = row * params.stride + window;
  let kept = weights[at >> 1u] >> (16u * (at & 1u));
  let nibble = metadata[at >> 3u] >> (4u * (at & 7u));
  return ((kept & 0xffu) << (8u * (nibble & 3u))) | (((kept >> 8u) & 0xffu) << (8u * ((nibble >> 2u) & 3u)));
}
