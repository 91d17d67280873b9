// common/staged_rows: y = A x, one subgroup per row, x in workgroup memory.
// Gives: main, WORKGROUP_SIZE, SHARES.  Takes: params, copy_x, early_steps, part_sum.
enable subgroups;
// The lanes of a subgroup loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include common/whole_rows.wgsl: bounds_of, store_sum

// Lanes per workgroup, a multiple of those of a subgroup.
override WORKGROUP_SIZE: u32 = 256u;
// None: the memory holds x and nothing else.
const SHARES = 0u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  // As many rows per workgroup as it has subgroups: subgroups narrower than planned leave workgroups without work.
  let row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / lanes) + local_index / lanes;
  let own = bounds_of(row);
  let early = early_steps(own.begin, lane, lanes); // under way while x is copied
  copy_x(local_index, 0u);
  workgroupBarrier();
  if (row < params.rows) {
    let sum = part_sum(own.begin, own.end, early, lane, lanes);
    if (lane == 0u) {
      store_sum(row, sum);
    }
  }
}
