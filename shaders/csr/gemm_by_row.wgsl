// csr/gemm_by_row: Y = X A^T for up to 16 tokens, several lanes per row, with four tokens side by side in x.
// Source: Bell and Garland 2009, CSR (vector) kernel. Differs: several vectors; without subgroups, a workgroup per row.
// Provides: params, y, row_quads.

// include common/values.wgsl#f16 or #f32: load_values
// include common/indices.wgsl#16 or #32: load_indices
// include common/token_quads.wgsl: Quads, add_eight, add_some
// include common/row_scale.wgsl#none: row_scale

struct Params {
  rows: u32,
  cols: u32,
  tokens: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Entries before row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// One per token and row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// This lane's part of a row: every `lanes`-th group of eight, counted from the group with the first entry.
fn row_quads(row: u32, lane: u32, lanes: u32) -> Quads {
  let begin = indptr[row];
  let end = indptr[row + 1u];
  var sums = Quads();
  for (var group = begin / 8u + lane; 8u * group < end; group += lanes) {
    let values = load_values(group);
    let columns = load_indices(group);
    if (8u * group >= begin && 8u * group + 8u <= end) {
      add_eight(&sums, values, columns.low, columns.high);
    } else {
      add_some(&sums, values, columns.low, columns.high, 8u * group - begin, end - begin);
    }
  }
  return sums;
}

// variant subgroup: one subgroup per row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/gemm_by_row.wgsl#subgroup: main

// variant workgroup: one workgroup per row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 16 B per lane.

// include common/gemm_by_row.wgsl#workgroup: main
