// slidesparse/row_words: rows of slid weights in i8, a word for every window, where nothing behind the last of them is used.
// Gives: row_words.

// include slidesparse/window_words.wgsl: window_words

// Windows from one row to the next, a multiple of 8.
override STRIDE: u32 = 8u;

// A row at four windows.
fn row_words(row: u32, window: u32) -> vec4<u32> {
  return window_words(row * STRIDE + window);
}
