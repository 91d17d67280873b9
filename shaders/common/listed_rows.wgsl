// common/listed_rows: adds up the rows of a list, each times its factor, eight columns to a lane.
// Provides: Sums, add_rows, first_four, last_four.  Requires: eight_of_row, factor_of_row.

// Four even and four odd columns of eight.
struct Sums {
  even: vec4<f32>,
  odd: vec4<f32>,
}

// The sums, going on with eight columns of a row times `factor`. bf16, the first of two in the lower half of a word.
fn add_row(pairs: vec4<u32>, factor: f32, sums: Sums) -> Sums {
  let even = bitcast<vec4<f32>>(pairs << vec4(16u));
  let odd = bitcast<vec4<f32>>(pairs & vec4(0xffff0000u));
  // step: down
  return Sums(fma(vec4(factor), even, sums.even), fma(vec4(factor), odd, sums.odd));
}

// The sums, going on with the first `count` rows of the list at these eight columns.
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

// Of eight columns in their order.
fn first_four(sums: Sums) -> vec4<f32> {
  return vec4(sums.even.x, sums.odd.x, sums.even.y, sums.odd.y);
}

fn last_four(sums: Sums) -> vec4<f32> {
  return vec4(sums.even.z, sums.odd.z, sums.even.w, sums.odd.w);
}
