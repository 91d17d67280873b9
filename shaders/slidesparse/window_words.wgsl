// slidesparse/window_words: slid weights in i8, every window as a word of four bytes, like its lifted activations.
// Provides: window_words.

// The kept values of four windows each, two bytes to a window.
@group(0) @binding(2) var<storage, read> weights: array<vec2<u32>>;
// Eight windows each, low nibble first; a row begins on a word. A nibble holds the positions, 0 to 3, of a window's two kept
// values: of the first value in bits 0 and 1, of the second in bits 2 and 3.
@group(0) @binding(4) var<storage, read> metadata: array<u32>;

// Windows first .. first + 3, first a multiple of 4, each as a word of four bytes: the kept values at their positions, 0 at the
// other two.
fn window_words(first: u32) -> vec4<u32> {
  let two = weights[first / 4u];
  let kept = vec4(two.x, two.x >> 16u, two.y, two.y >> 16u);
  let nibbles = vec4(metadata[first / 8u] >> (4u * (first & 4u))) >> vec4(0u, 4u, 8u, 12u);
  let low = (kept & vec4(0xffu)) << (8u * (nibbles & vec4(3u)));
  let high = ((kept >> vec4(8u)) & vec4(0xffu)) << (8u * ((nibbles >> vec4(2u)) & vec4(3u)));
  return low | high;
}
