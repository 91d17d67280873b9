// ec-csr/spmv_staged_places: y = A x, blocks dealt out to few workgroups with x in their memory; the sums go to
// places of their own, by row, and ec-csr/sum_rows adds them up.
// Source: EC-SpMV paper, section 7. Differs: x in workgroup memory, where the lanes of a gather, far apart in a row, do
// not take a cache line each; small blocks in tasks of eight rows; sums in a fixed order, not by atomics.
// Lanes: any power-of-two subgroup size, of which at most LANES have work; the result does not depend on it up to rounding.
// Dispatch: x = workgroups of the schedule.  Needs: subgroups.  Workgroup memory: 4 B per column.
enable subgroups;
// All lanes of a subgroup go the same way up to the shuffles; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// The sums, those of one row behind each other.
@group(0) @binding(7) var<storage, read_write> partials: array<f32>;

fn give_sum(place: u32, sum: f32) {
  if (place != NOWHERE) {
    partials[place] = sum;
  }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let share = share_of(workgroup_index(workgroup_id, num_workgroups));
  stage_x(local_index);
  workgroupBarrier();
  compute_tasks(share, local_index / lanes, WORKGROUP_SIZE / lanes, lane, lanes);
}
