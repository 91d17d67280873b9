// macko/products: the arrays of a MACKO matrix, and eight entries times the x of their columns.
// Provides: params, indptr, y, row_scale, PackedEight, packed_values, unpacked_values, GapWords, load_gap_words, split_gaps,
//   gap_total, gap_prefix, load_values, load_gaps, LARGEST_TOTAL, Gaps.

// include common/values.wgsl#f16 or #f32 or #i8 or #i4_entries: Eight, load_values, PackedEight, packed_values, unpacked_values
// include macko/deltas.wgsl#1 or #2 or #4 or #8: LARGEST_TOTAL, Gaps, load_gaps, GapWords, load_gap_words, split_gaps, Prefix,
//   gap_total, gap_prefix
// include common/row_scale.wgsl#none or #at_6: row_scale

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// First entry of row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;

// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// variant vector: with one x.
// Provides: group_sum, edge_sum.  Requires: x_at.

fn gather(columns: vec4<u32>) -> vec4<f32> {
  // step: gather
  return vec4(x_at(columns.x), x_at(columns.y), x_at(columns.z), x_at(columns.w));
}

// A group whose entries all belong to the row. Entry i is in column base + prefix of i.
fn group_sum(values: Eight, prefix: Prefix, base: u32) -> f32 {
  return dot(values.low, gather(prefix.low + base)) + dot(values.high, gather(prefix.high + base));
}

// A group that may include entries of neighbouring rows: their products count as 0, so that Inf and NaN in x reach no
// other row. Columns computed for them may be outside of x; such a read returns some element of x, as WGSL guarantees,
// and is dropped. `ordinal` counts the group's first entry from the row's first; before the row it wraps around.
fn edge_sum(values: Eight, prefix: Prefix, base: u32, ordinal: u32, count: u32) -> f32 {
  let in_low = vec4(ordinal) + vec4(0u, 1u, 2u, 3u) < vec4(count);
  let in_high = vec4(ordinal) + vec4(4u, 5u, 6u, 7u) < vec4(count);
  // step: product
  let low = select(vec4(0.0), values.low * gather(prefix.low + base), in_low);
  let high = select(vec4(0.0), values.high * gather(prefix.high + base), in_high);
  return dot(low + high, vec4(1.0));
}

// variant tokens: with the x of several tokens at a time.
// Provides: group_sum, edge_sum.  Requires: Sum.

// include common/token_products.wgsl: eight_sum, some_sum

// A group whose entries all belong to the row. Entry i is in column base + prefix of i.
fn group_sum(values: Eight, prefix: Prefix, base: u32) -> Sum {
  return eight_sum(values, prefix.low + base, prefix.high + base);
}

// A group that may include entries of neighbouring rows; `ordinal` counts its first entry from the row's first.
fn edge_sum(values: Eight, prefix: Prefix, base: u32, ordinal: u32, count: u32) -> Sum {
  return some_sum(values, prefix.low + base, prefix.high + base, ordinal, count);
}
