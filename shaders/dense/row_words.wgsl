// dense/row_words: rows of dense weights in i8, four bytes to a word, where nothing behind the last of them is used.
// Gives: row_words.

// include common/weights.wgsl#words: load_weights

// Words from one row to the next, a multiple of 4.
override STRIDE: u32 = 4u;

// A row at four words.
fn row_words(row: u32, word: u32) -> vec4<u32> {
  return load_weights((row * STRIDE + word) / 4u);
}
