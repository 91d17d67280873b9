// slidesparse/row_words: rows of slid weights in i8, a word for every window.
// Gives: row_words.  Takes: params.

// include slidesparse/window_words.wgsl: window_words

// A row at four windows. The last row takes the place of those that do not exist, and the end of a row that of what is behind it:
// there, activations are 0. No branch, which would wait for what it reads.
fn row_words(row: u32, window: u32) -> vec4<u32> {
  let start = min(row, params.rows - 1u) * params.stride;
  return window_words(start + min(window, params.stride - 4u));
}
