// hybrid/sum_of_rows: a sum of rows by the factors of a list in workgroup memory, eight columns to a lane.
// Gives: list_rows, list_factors, Sums, groups_of_sum, add_listed, store_sums.  Takes: WORKGROUP_SIZE.
// Workgroup memory: 8 B per lane.

// include hybrid/block_sizes.wgsl: params

// The rows: bf16, eight columns each, the first of two in the lower half of a word.
@group(0) @binding(6) var<storage, read> rows_in: array<vec4<u32>>;
// Four columns of a sum each.
@group(0) @binding(7) var<storage, read_write> sums_out: array<vec4<f32>>;

var<workgroup> list_rows: array<u32, WORKGROUP_SIZE>;
var<workgroup> list_factors: array<f32, WORKGROUP_SIZE>;

// Four even and four odd columns of eight.
struct Sums {
  even: vec4<f32>,
  odd: vec4<f32>,
}

// How many workgroups share the width of one sum.
fn groups_of_sum() -> u32 {
  return (params.width / 8u + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}

// The sums, going on with eight columns of a row times `factor`.
fn add_row(pairs: vec4<u32>, factor: f32, sums: Sums) -> Sums {
  let even = bitcast<vec4<f32>>(pairs << vec4(16u));
  let odd = bitcast<vec4<f32>>(pairs & vec4(0xffff0000u));
  return Sums(fma(vec4(factor), even, sums.even), fma(vec4(factor), odd, sums.odd));
}

// Adds the first `count` rows of the list at these eight columns.
fn add_listed(total: ptr<function, Sums>, count: u32, eight: u32) {
  let eights = params.width / 8u;
  if (eight >= eights) {
    return;
  }
  var sums = *total;
  var i = 0u;
  // Four rows at a time, so that their loads are under way together.
  for (; i + 4u <= count; i += 4u) {
    let a = rows_in[list_rows[i] * eights + eight];
    let b = rows_in[list_rows[i + 1u] * eights + eight];
    let c = rows_in[list_rows[i + 2u] * eights + eight];
    let d = rows_in[list_rows[i + 3u] * eights + eight];
    sums = add_row(a, list_factors[i], sums);
    sums = add_row(b, list_factors[i + 1u], sums);
    sums = add_row(c, list_factors[i + 2u], sums);
    sums = add_row(d, list_factors[i + 3u], sums);
  }
  for (; i < count; i++) {
    sums = add_row(rows_in[list_rows[i] * eights + eight], list_factors[i], sums);
  }
  *total = sums;
}

// Stores a sum or, in step 1, adds it to what is there.
fn store_sums(row: u32, eight: u32, sums: Sums) {
  let eights = params.width / 8u;
  if (eight >= eights) {
    return;
  }
  let at = 2u * (row * eights + eight);
  var low = vec4(sums.even.x, sums.odd.x, sums.even.y, sums.odd.y);
  var high = vec4(sums.even.z, sums.odd.z, sums.even.w, sums.odd.w);
  if (params.step == 1u) {
    low += sums_out[at];
    high += sums_out[at + 1u];
  }
  sums_out[at] = low;
  sums_out[at + 1u] = high;
}
