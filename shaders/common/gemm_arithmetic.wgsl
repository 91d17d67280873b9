// common/gemm_arithmetic: the multiply-add of a GEMM and its types.

// variant f32: products and sums in f32.
// Provides: Words, Sums, multiply_add.

// Four neighbouring lines of an operand.
alias Words = vec4<f32>;
// Four neighbouring sums, of a row or of a column.
alias Sums = vec4<f32>;

// A word of one operand times four lines of the other.
fn multiply_add(one: f32, four: Words, sums: Sums) -> Sums {
  return fma(vec4(one), four, sums);
}

// variant i8: a word is four bytes along k, and sums are exact integers.
// Provides: Words, Sums, multiply_add.

// Words of four neighbouring lines of an operand.
alias Words = vec4<u32>;
// Four neighbouring sums, of a row or of a column.
alias Sums = vec4<i32>;

// A word of one operand times four lines of the other.
fn multiply_add(one: u32, four: Words, sums: Sums) -> Sums {
  return sums + vec4(
    dot4I8Packed(one, four.x),
    dot4I8Packed(one, four.y),
    dot4I8Packed(one, four.z),
    dot4I8Packed(one, four.w),
  );
}
