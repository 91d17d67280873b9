// hybrid/weight_gradient: the gradient of a weight matrix: for every neuron the sum of the rows of all tokens, each times the
// factor of the neuron's entry in the hybrid. Several workgroups per neuron, whose lanes each search one token for it.
// Source: TwELL paper, equation 4. Differs: nothing is transposed: columns ascend inside a row, so that binary search finds the
// entry of a neuron. Tokens are added in their order, so that every run produces the same bits.
// Lanes: any; subgroups are not used.
// Dispatch: x = cols * ceil(width / 8 / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 16 B per lane.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/sum_of_rows.wgsl: list_rows, list_factors, groups_of_sum, add_listed, store_sums
// include common/listed_rows.wgsl: Sums
// include hybrid/sizes.wgsl#block: params
// include hybrid/pattern.wgsl: NO_ENTRY, entry_in
// include common/workgroup_scan.wgsl: workgroup_scan
// include hybrid/factors.wgsl#computed: factor_at

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let group = workgroup_index(workgroup_id, num_workgroups);
  let neuron = group / groups_of_sum();
  if (neuron >= params.cols) {
    return;
  }
  let eight = group % groups_of_sum() * WORKGROUP_SIZE + local_index;
  var sums = Sums();
  for (var first = 0u; first < params.rows; first += WORKGROUP_SIZE) {
    let token = first + local_index;
    var entry = NO_ENTRY;
    if (token < params.rows) {
      entry = entry_in(token, neuron);
    }
    let scan = workgroup_scan(u32(entry != NO_ENTRY), local_index);
    if (entry != NO_ENTRY) {
      list_rows[scan.before] = token;
      list_factors[scan.before] = factor_at(entry);
    }
    workgroupBarrier();
    add_listed(&sums, scan.total, eight);
    workgroupBarrier(); // the list is filled again
  }
  store_sums(neuron, eight, sums);
}
