// ec-csr/spmv_staged: y = A x, blocks dealt out to few workgroups with x in their memory; a workgroup has all
// blocks of its rows, so that their sums meet in its memory too.
// Source: EC-SpMV paper, section 7. Differs: x in workgroup memory, where the lanes of a gather, far apart in a row, do
// not take a cache line each; small blocks in tasks of eight rows; sums in a fixed order, not by atomics.
// Lanes: any power-of-two subgroup size, of which at most LANES have work; the result does not depend on it up to rounding.
// Dispatch: x = workgroups of the schedule.  Needs: subgroups.  Workgroup memory: all of it; 4 B per column and per sum are used.
enable subgroups;
// All lanes of a subgroup go the same way up to the shuffles; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// One sum per row.
@group(0) @binding(7) var<storage, read_write> y: array<f32>;

fn give_sum(place: u32, sum: f32) {
  if (place != NOWHERE) {
    memory[params.cols + place] = sum;
  }
}

// The rows, behind a barrier, in the order of their blocks. `first` is the entry of the first row of this lane.
fn finish_rows(share: Share, local_index: u32, first: vec4<u32>) {
  var row = first;
  for (var r = local_index; r < share.rows; r += WORKGROUP_SIZE) {
    if (r != local_index) {
      row = schedule[share.first_row + r];
    }
    var sum = 0.0;
    for (var i = row.y; i < row.z; i++) {
      sum += memory[params.cols + i];
    }
    y[row.x] = sum;
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
  // Under way while other subgroups finish.
  let row = schedule[share.first_row + min(local_index, max(share.rows, 1u) - 1u)];
  workgroupBarrier();
  finish_rows(share, local_index, row);
}
