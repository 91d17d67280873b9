// common/gemm_i8: the arithmetic of a GEMM in i8: a word is four bytes along k, and sums are exact integers.
// Gives: Words, Sums, multiply_add.

// Words of four neighbouring lines of an operand.
alias Words = vec4<u32>;
// Four neighbouring sums of a row.
alias Sums = vec4<i32>;

fn multiply_add(a: u32, b: Words, sums: Sums) -> Sums {
  return sums + vec4(dot4I8Packed(a, b.x), dot4I8Packed(a, b.y), dot4I8Packed(a, b.z), dot4I8Packed(a, b.w));
}
