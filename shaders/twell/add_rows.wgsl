// twell/add_rows: a lane's part of y, eight columns at a time: the sum of rows of Wd times the values of the list.
// Provides: MOST_CHUNKS, eight_of_row, factor_of_row, add_listed, store_sums.  Requires: WORKGROUP_SIZE.

// include twell/token_sizes.wgsl: params
// include twell/token_list.wgsl: list_columns, list_values
// include common/listed_rows.wgsl: Sums, add_rows, first_four, last_four

// bf16, eight of a neuron each, the first of two in the lower half of a word.
@group(0) @binding(1) var<storage, read> wd: array<vec4<u32>>;
// Four columns of a token each.
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

// Eights of columns that a lane keeps, at most MOST_CHUNKS: ceil(width / 8 / WORKGROUP_SIZE).
override CHUNKS: u32 = 1u;
const MOST_CHUNKS = 4u;

fn eight_of_row(i: u32, eight: u32) -> vec4<u32> {
  return wd[list_columns[i] * (params.width / 8u) + eight];
}

fn factor_of_row(i: u32) -> f32 {
  return list_values[i];
}

// Adds the rows of Wd of the first `count` neurons of the list, times their values. Called by all lanes of the workgroup.
fn add_listed(all: ptr<function, array<Sums, MOST_CHUNKS>>, count: u32, local_index: u32) {
  let eights = params.width / 8u;
  for (var chunk = 0u; chunk < CHUNKS; chunk++) {
    let eight = chunk * WORKGROUP_SIZE + local_index;
    if (eight < eights) {
      (*all)[chunk] = add_rows((*all)[chunk], count, eight);
    }
  }
}

fn store_sums(token: u32, local_index: u32, sums: ptr<function, array<Sums, MOST_CHUNKS>>) {
  let eights = params.width / 8u;
  for (var chunk = 0u; chunk < CHUNKS; chunk++) {
    let eight = chunk * WORKGROUP_SIZE + local_index;
    if (eight < eights) {
      let at = 2u * (token * eights + eight);
      y[at] = first_four((*sums)[chunk]);
      y[at + 1u] = last_four((*sums)[chunk]);
    }
  }
}
