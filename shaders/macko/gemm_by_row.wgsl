// macko/gemm_by_row: Y = X A^T for up to 16 tokens, several lanes per row, with four tokens side by side in x. Column of an
// entry: the stored gaps of the row up to and with it, plus its ordinal in the row.
// Source: MACKO paper, section 4.4. Differs: several vectors, for which a column is found once; without subgroups, a
// workgroup per row.
// Provides: params, y.

// include common/values.wgsl#f16 or #f32 or #i8 or #i4_entries: load_values
// include macko/deltas.wgsl#1 or #2 or #4 or #8: load_gaps, gap_total, gap_prefix
// include common/row_scale.wgsl#none or #at_6: row_scale
// include common/token_quads.wgsl: Quads, add_eight, add_some

struct Params {
  rows: u32,
  cols: u32,
  tokens: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// First entry of row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// One per token and row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// variant subgroup: one subgroup per row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.
// Provides: row_quads.

// include common/gemm_by_row.wgsl#subgroup: main
// include macko/row_by_subgroup.wgsl#scan: inclusive_scan

// This lane's part of a row.
fn row_quads(row: u32, lane: u32, lanes: u32) -> Quads {
  let begin = indptr[row];
  let end = indptr[row + 1u];
  var sums = Quads();
  var walked = 0u; // stored gaps of the steps before
  for (var first = begin / 8u; 8u * first < end; first += lanes) {
    let group = first + lane;
    let values = load_values(group);
    // The second argument: how many entries of the group belong to the row before; their gaps count as 0.
    let gaps = load_gaps(group, select(0u, begin - 8u * group, 8u * group < begin));
    let total = gap_total(gaps);
    let scan = inclusive_scan(total, lane);
    // The ordinal, in the row, of the group's first entry. If that entry belongs to the row before, it wraps below 0;
    // adding an entry's position in the group wraps back.
    let ordinal = 8u * group - begin;
    let base = walked + scan - total + ordinal;
    walked += subgroupShuffle(scan, lanes - 1u);
    let prefix = gap_prefix(gaps);
    if (8u * group >= begin && 8u * group + 8u <= end) {
      add_eight(&sums, values, prefix.low + base, prefix.high + base);
    } else {
      add_some(&sums, values, prefix.low + base, prefix.high + base, ordinal, end - begin);
    }
  }
  return sums;
}

// variant workgroup: one workgroup per row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 24 B per lane.
// Provides: row_quads.

// include common/gemm_by_row.wgsl#workgroup: main, WORKGROUP_SIZE
// include common/workgroup_scan.wgsl: workgroup_scan

// This lane's part of a row.
fn row_quads(row: u32, lane: u32, lanes: u32) -> Quads {
  let begin = indptr[row];
  let end = indptr[row + 1u];
  var sums = Quads();
  var walked = 0u; // stored gaps of the steps before
  for (var first = begin / 8u; 8u * first < end; first += lanes) {
    let group = first + lane;
    let values = load_values(group);
    // The second argument: how many entries of the group belong to the row before; their gaps count as 0.
    let gaps = load_gaps(group, select(0u, begin - 8u * group, 8u * group < begin));
    let scan = workgroup_scan(gap_total(gaps), lane);
    // The ordinal, in the row, of the group's first entry. If that entry belongs to the row before, it wraps below 0;
    // adding an entry's position in the group wraps back.
    let ordinal = 8u * group - begin;
    let base = walked + scan.before + ordinal;
    walked += scan.total;
    let prefix = gap_prefix(gaps);
    if (8u * group >= begin && 8u * group + 8u <= end) {
      add_eight(&sums, values, prefix.low + base, prefix.high + base);
    } else {
      add_some(&sums, values, prefix.low + base, prefix.high + base, ordinal, end - begin);
    }
  }
  return sums;
}
