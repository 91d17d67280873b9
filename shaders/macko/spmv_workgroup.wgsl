// macko/spmv_workgroup: y = A x, one workgroup per row, scans and sums through workgroup memory.
// Source: MACKO paper, section 4.4. Differs: a workgroup in the place of the subgroup; row edges masked by ordinal, so
// that Inf and NaN in x reach no other row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 12 B per lane.

// include common/workgroup_index.wgsl: workgroup_index
// include macko/matrix.wgsl: params, indptr, y, load_values, load_gaps, gap_total, gap_prefix, row_scale
// include macko/products.wgsl: edge_sum
// include common/x_global.wgsl: x_at
// include common/workgroup_sum.wgsl: WORKGROUP_SIZE, workgroup_sum
// include common/workgroup_scan.wgsl: workgroup_scan

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups);
  if (row >= params.rows) {
    return;
  }
  let begin = indptr[row];
  let end = indptr[row + 1u];
  var carry = 0u; // stored gaps of the steps before
  var sum = 0.0;
  for (var first = begin / 8u; 8u * first < end; first += WORKGROUP_SIZE) {
    let group = first + local_index;
    let gaps = load_gaps(group, select(0u, begin - 8u * group, 8u * group < begin));
    let scan = workgroup_scan(gap_total(gaps), local_index);
    let ordinal = 8u * group - begin;
    sum += edge_sum(load_values(group), gap_prefix(gaps), carry + scan.before + ordinal, ordinal, end - begin);
    carry += scan.total;
  }
  let total = workgroup_sum(sum, local_index);
  if (local_index == 0u) {
    y[row] = total * row_scale(row);
  }
}
