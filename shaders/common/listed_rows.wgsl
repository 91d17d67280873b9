// common/listed_rows: the sum of the bf16 rows of a list, each times its factor; a lane computes eight columns.
// Provides: Sums, add_rows, first_four, last_four.  Requires: eight_of_row, factor_of_row.

// The sums of eight columns: the four even and the four odd ones, since a word of bf16 contains one of each.
struct Sums {
  even: vec4<f32>,
  odd: vec4<f32>,
}

// Adds eight columns of a row times `factor` to the sums. `pairs`: bf16, the even column in the lower half of a word.
fn add_row(pairs: vec4<u32>, factor: f32, sums: Sums) -> Sums {
  let even = bitcast<vec4<f32>>(pairs << vec4(16u));
  let odd = bitcast<vec4<f32>>(pairs & vec4(0xffff0000u));
  // step: down
  return Sums(fma(vec4(factor), even, sums.even), fma(vec4(factor), odd, sums.odd));
}

// Adds the first `count` rows of the list to the sums, at columns 8 `eight` .. 8 `eight` + 7.
fn add_rows(before: Sums, count: u32, eight: u32) -> Sums {
  var sums = before;
  var i = 0u;
  // Four rows at a time, so that their loads are in flight together.
  for (; i + 4u <= count; i += 4u) {
    let a = eight_of_row(i, eight);
    let b = eight_of_row(i + 1u, eight);
    let c = eight_of_row(i + 2u, eight);
    let d = eight_of_row(i + 3u, eight);
    sums = add_row(a, factor_of_row(i), sums);
    sums = add_row(b, factor_of_row(i + 1u), sums);
    sums = add_row(c, factor_of_row(i + 2u), sums);
    sums = add_row(d, factor_of_row(i + 3u), sums);
  }
  for (; i < count; i++) {
    sums = add_row(eight_of_row(i, eight), factor_of_row(i), sums);
  }
  return sums;
}

// The sums of the first four of the eight columns, in order; last_four: of the last four.
fn first_four(sums: Sums) -> vec4<f32> {
  return vec4(sums.even.x, sums.odd.x, sums.even.y, sums.odd.y);
}

fn last_four(sums: Sums) -> vec4<f32> {
  return vec4(sums.even.z, sums.odd.z, sums.even.w, sums.odd.w);
}
