// ec-csr/spmv_subgroup: y = A x, a subgroup per block of up to eight rows; every gather of x feeds all rows of its block.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since those of its listing are wrong; sums of blocks that
// meet in a row go to places of their own and are added in a fixed order by ec-csr/sum_rows, not by atomics.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: subgroups.
// Workgroup memory: 0 B.
enable subgroups;
// All lanes of a subgroup go the same way up to the shuffles; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include ec-csr/block_by_subgroup.wgsl: WORKGROUP_SIZE, subgroup_blocks
// include ec-csr/partials.wgsl: target_of, give_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  subgroup_blocks(workgroup_index(workgroup_id, num_workgroups), local_index, lane, lanes);
}
