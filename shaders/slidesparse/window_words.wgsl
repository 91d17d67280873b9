// slidesparse/window_words: slid weights in i8, every window as a word of four bytes, like its lifted activations.
// Provides: window_words.

// The kept values of four windows each, two bytes to a window.
@group(0) @binding(2) var<storage, read> weights: array<vec2<u32>>;
// Eight windows each, low nibble first; a row begins on a word.
@group(0) @binding(4) var<storage, read> metadata: array<u32>;

// Four neighbouring windows, each of four bytes; two of the four are 0.
fn window_words(first: u32) -> vec4<u32> {
  let two = weights[first / 4u];
  let kept = vec4(two.x, two.x >> 16u, two.y, two.y >> 16u);
  let nibbles = vec4(metadata[first / 8u] >> (4u * (first & 4u))) >> vec4(0u, 4u, 8u, 12u);
  let low = (kept & vec4(0xffu)) << (8u * (nibbles & vec4(3u)));
  let high = ((kept >> vec4(8u)) & vec4(0xffu)) << (8u * ((nibbles >> vec4(2u)) & vec4(3u)));
  return low | high;
}
