// common/gemm_f32: the arithmetic of a GEMM in f32.
// Gives: Words, Sums, multiply_add.

// Four neighbouring lines of an operand.
alias Words = vec4<f32>;
// Four neighbouring sums of a row.
alias Sums = vec4<f32>;

fn multiply_add(a: f32, b: Words, sums: Sums) -> Sums {
  return fma(vec4(a), b, sums);
}
