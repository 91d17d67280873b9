// slidesparse/gemm_dense_i8: the rows of a dense i8 matrix, four columns to a word: the baseline of the slid product.
// Gives: weights, weight_word.

// Words of every row, one row after the other; four bytes each, the lowest first, 0 behind the last column.
@group(0) @binding(3) var<storage, read> weights: array<u32>;

fn weight_word(row: u32, word: u32) -> u32 {
  return weights[row * params.stride + word];
}
