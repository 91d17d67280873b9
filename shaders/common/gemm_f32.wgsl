// common/gemm_f32: the arithmetic of a GEMM in f32.
// Gives: Words, Sums, multiply_add.

// Four neighbouring lines of an operand.
alias Words = vec4<f32>;
// Four neighbouring sums, of a row or of a column.
alias Sums = vec4<f32>;

// A word of one operand times four lines of the other.
fn multiply_add(one: f32, four: Words, sums: Sums) -> Sums {
  return fma(vec4(one), four, sums);
}
