// dense/four_rows: four rows of W at four columns, and their products with a token.
// Provides: Rows, add_rows.

struct Rows {
  a: vec4<f32>,
  b: vec4<f32>,
  c: vec4<f32>,
  d: vec4<f32>,
}

// `sum` plus the four products of a and b.
fn add_four(a: vec4<f32>, b: vec4<f32>, sum: f32) -> f32 {
  return fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, fma(a.w, b.w, sum))));
}

fn add_rows(rows: Rows, x: vec4<f32>, sums: vec4<f32>) -> vec4<f32> {
  return vec4(
    add_four(rows.a, x, sums.x),
    add_four(rows.b, x, sums.y),
    add_four(rows.c, x, sums.z),
    add_four(rows.d, x, sums.w),
  );
}
