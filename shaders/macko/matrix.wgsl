// macko/matrix: sizes, row starts and output, and how values, gaps and scales are read.
// Gives: params, indptr, y, Eight, load_values, PackedEight, packed_values, unpacked_values, LARGEST_TOTAL, Gaps, load_gaps,
//   GapWords, load_gap_words, split_gaps, Prefix, gap_total, gap_prefix, row_scale.

// include common/values.wgsl#f16 or #f32 or #i8: Eight, load_values, PackedEight, packed_values, unpacked_values
// include macko/deltas_1.wgsl or macko/deltas_2.wgsl or macko/deltas_4.wgsl or macko/deltas_8.wgsl: LARGEST_TOTAL, Gaps,
//   load_gaps, GapWords, load_gap_words, split_gaps, Prefix, gap_total, gap_prefix
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
