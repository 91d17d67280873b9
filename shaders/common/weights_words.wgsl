// common/weights_words: the second operand of a GEMM in i8: words of four signed bytes, the lowest first.
// Gives: load_weights.

// Four words.
@group(0) @binding(2) var<storage, read> weights: array<vec4<u32>>;

// Words 4 i .. 4 i + 3.
fn load_weights(i: u32) -> vec4<u32> {
  return weights[i];
}
