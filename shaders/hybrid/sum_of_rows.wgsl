// hybrid/sum_of_rows: the sum of listed rows times their factors in workgroup memory, eight columns to a lane.
// Provides: list_rows, list_factors, eight_of_row, factor_of_row, groups_of_sum, add_listed, store_sums.  Requires: WORKGROUP_SIZE.
// Workgroup memory: 8 B per lane.

// include hybrid/sizes.wgsl#block: params
// include common/listed_rows.wgsl: Sums, add_rows, first_four, last_four

// The rows: eight bf16 columns in each element, two in a u32, first in the low half.
@group(0) @binding(6) var<storage, read> rows_in: array<vec4<u32>>;
// Four columns of a sum each.
@group(0) @binding(7) var<storage, read_write> sums_out: array<vec4<f32>>;

var<workgroup> list_rows: array<u32, WORKGROUP_SIZE>;
var<workgroup> list_factors: array<f32, WORKGROUP_SIZE>;

// How many workgroups compute one sum, each a part of its width.
fn groups_of_sum() -> u32 {
  return (params.width / 8u + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}

fn eight_of_row(i: u32, eight: u32) -> vec4<u32> {
  return rows_in[list_rows[i] * (params.width / 8u) + eight];
}

fn factor_of_row(i: u32) -> f32 {
  return list_factors[i];
}

// Adds the first `count` rows of the list at these eight columns.
fn add_listed(total: ptr<function, Sums>, count: u32, eight: u32) {
  if (eight < params.width / 8u) {
    *total = add_rows(*total, count, eight);
  }
}

// Stores a sum or, in step 1, adds it to the stored sum.
fn store_sums(row: u32, eight: u32, sums: Sums) {
  let eights = params.width / 8u;
  if (eight >= eights) {
    return;
  }
  let at = 2u * (row * eights + eight);
  var low = first_four(sums);
  var high = last_four(sums);
  if (params.step == 1u) {
    low += sums_out[at];
    high += sums_out[at + 1u];
  }
  sums_out[at] = low;
  sums_out[at + 1u] = high;
}
