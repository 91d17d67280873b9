// common/staged_shares: y = A x in equal shares, x in workgroup memory.
// Gives: main, WORKGROUP_SIZE, SHARES.  Takes: copy_x.
enable subgroups;
// The lanes of a subgroup loop together, since they have one share; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/equal_shares.wgsl: WORKGROUP_SIZE, SHARES, share_of, first_column_of, multiply_shares

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let share = share_of(workgroup_id.x, local_index / lanes);
  copy_x(local_index, first_column_of(workgroup_id.x));
  workgroupBarrier();
  multiply_shares(share, workgroup_id.x, local_index, lane, lanes);
}
