// dense/row_words: rows of dense weights in i8, four bytes to a word.
// Gives: row_words.  Takes: params.

// include common/weights_words.wgsl: load_weights

// A row at four words. The last row takes the place of those that do not exist, and the end of a row that of what is behind it:
// there, activations are 0. No branch, which would wait for what it reads.
fn row_words(row: u32, word: u32) -> vec4<u32> {
  let start = min(row, params.rows - 1u) * params.stride;
  return load_weights((start + min(word, params.stride - 4u)) / 4u);
}
