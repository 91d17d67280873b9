// ec-csr/spmv_staged: y = A x in one pass, x in workgroup memory. Every row belongs to one workgroup, which computes all
// blocks that have any of its rows. For 32 lanes of four columns, deltas of eight bits and values of f16.
// Source: EC-SpMV paper, section 7, for the blocks. Differs: rows, tasks and positions are listed by the host; sums of
// blocks that meet in a row are added in a fixed order in workgroup memory; a block with rows of several workgroups is
// computed by each of them.
// Lanes: any power-of-two subgroup size up to 32; the result does not depend on it up to rounding.
// Dispatch: x = WORKGROUPS.  Needs: subgroups.
// Workgroup memory: 4 B per column, 4 B per sum of the workgroup that has most, and 4 B.
// Provides: WORKGROUP_SIZE, give_sum, target_of.

// include ec-csr/x.wgsl#in_eights: copy_x
// include ec-csr/task_rows.wgsl: Task, task_of, task_sum_1, task_sums_2, task_sums_4, task_sums_8
// include ec-csr/block_sums.wgsl: give_1, give_2, give_4, give_8

// Three lists, one after the other. A share is the list of tasks that one subgroup computes.
// - per workgroup: its first element in `places`, its first row in the third list, and its number of rows;
// - TASKS tasks per share of every workgroup; unused ones at the end have no columns;
// - per row, workgroup by workgroup: the row, and the begin and end of its sums in the memory of the workgroup.
@group(0) @binding(0) var<storage, read> lists: array<vec4<u32>>;
// Per row of a workgroup's tasks: the position of its sum in the memory of the workgroup. All rows that belong to other
// workgroups have the last position, which is never read.
@group(0) @binding(5) var<storage, read> places: array<u32>;
// One sum per row.
@group(0) @binding(7) var<storage, read_write> y: array<f32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Workgroups that the lists were made for.
override WORKGROUPS: u32 = 1u;
// Shares of a workgroup: its number of subgroups if they have the maximum size; smaller subgroups are more, and the rest of
// them have no share.
override SHARES: u32 = 8u;
// Tasks of the share that has most, 1 to 32.
override TASKS: u32 = 1u;
// Rows of the workgroup that has most.
override ROWS: u32 = 1u;
// Largest number of sums of a workgroup, including the one for rows of other workgroups.
override SUMS: u32 = 1u;
// The granularities of all sets, added up; code for other granularities is removed.
override GRANULARITIES: u32 = 15u;
// 1 if every subgroup has 32 lanes. A constant, because code for other sizes needs registers even if it never runs.
override LANE_FOR_LANE: u32 = 0u;

var<workgroup> sums: array<f32, SUMS>;

// The position in `sums` for a row of a block.
fn target_of(block_row: u32) -> u32 {
  return places[block_row];
}

fn give_sum(place: u32, sum: f32) {
  sums[place] = sum;
}

// The position in `sums` for the sum that this lane will store. Read before the block is computed, to hide the latency.
fn goal_of(first: u32, rows: u32, lane: u32) -> u32 {
  return target_of(first + (lane & (rows - 1u)));
}

// compute_N adds the sums of a task whose blocks have N rows. In a subgroup of fewer than 32 lanes, every lane does the work of
// several, one after the other.
fn compute_1(task: Task, first: u32, lane: u32, lanes: u32) {
  let goal = goal_of(first, 1u, lane);
  var sum = 0.0;
  if (LANE_FOR_LANE == 1u) {
    sum = task_sum_1(task, lane);
  } else {
    for (var l = lane; l < 32u; l += lanes) { sum += task_sum_1(task, l); }
  }
  give_1(goal, sum, lane, lanes, true);
}

fn compute_2(task: Task, first: u32, lane: u32, lanes: u32) {
  let goal = goal_of(first, 2u, lane);
  var sums_2 = vec2(0.0);
  if (LANE_FOR_LANE == 1u) {
    sums_2 = task_sums_2(task, lane);
  } else {
    for (var l = lane; l < 32u; l += lanes) { sums_2 += task_sums_2(task, l); }
  }
  give_2(first, goal, sums_2, lane, lanes, true);
}

fn compute_4(task: Task, first: u32, lane: u32, lanes: u32) {
  let goal = goal_of(first, 4u, lane);
  var sums_4 = vec4(0.0);
  if (LANE_FOR_LANE == 1u) {
    sums_4 = task_sums_4(task, lane);
  } else {
    for (var l = lane; l < 32u; l += lanes) { sums_4 += task_sums_4(task, l); }
  }
  give_4(first, goal, sums_4, lane, lanes, true);
}

fn compute_8(task: Task, first: u32, lane: u32, lanes: u32) {
  let goal = goal_of(first, 8u, lane);
  var sums_8 = mat2x4<f32>();
  if (LANE_FOR_LANE == 1u) {
    sums_8 = task_sums_8(task, lane);
  } else {
    for (var l = lane; l < 32u; l += lanes) { sums_8 += task_sums_8(task, l); }
  }
  give_8(first, goal, sums_8, lane, lanes, true);
}

// Task t of a share. With 32 lanes, lane t has loaded task t (`own`) and passes it to all lanes by a shuffle.
fn task_words(t: u32, first_task: u32, own: vec4<u32>, share: u32) -> vec4<u32> {
  if (LANE_FOR_LANE == 1u) {
    return vec4(subgroupShuffle(own.x, t), subgroupShuffle(own.y, t), subgroupShuffle(own.z, t), subgroupShuffle(own.w, t));
  }
  if (share < SHARES) {
    return lists[first_task + t];
  }
  return vec4(0u);
}

// Adds the sums of a row and stores the result. `row`: the row, begin and end of its sums, unused.
fn store_row(row: vec4<u32>) {
  var sum = 0.0;
  for (var place = row.y; place < row.z; place++) { sum += sums[place]; }
  y[row.x] = sum;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) subgroup_lanes: u32,
) {
  let lanes = select(subgroup_lanes, 32u, LANE_FOR_LANE == 1u);
  let share = local_index / lanes;
  let head = lists[workgroup_id.x];
  let first_task = WORKGROUPS + (workgroup_id.x * SHARES + share) * TASKS;
  let own = lists[first_task + min(lane, TASKS - 1u)];
  let row = lists[head.y + min(local_index, head.z)];
  copy_x(local_index);
  workgroupBarrier();
  for (var t = 0u; t < TASKS; t++) {
    let task = task_of(task_words(t, first_task, own, share));
    if (task.columns == 0u) {
      break;
    }
    let first = head.x + task.first;
    if ((GRANULARITIES & 8u) != 0u && task.kind == 3u) {
      compute_8(task, first, lane, lanes);
    } else if ((GRANULARITIES & 4u) != 0u && task.kind == 2u) {
      compute_4(task, first, lane, lanes);
    } else if ((GRANULARITIES & 2u) != 0u && task.kind == 1u) {
      compute_2(task, first, lane, lanes);
    } else if ((GRANULARITIES & 1u) != 0u) {
      compute_1(task, first, lane, lanes);
    }
  }
  workgroupBarrier();
  if (local_index < head.z) {
    store_row(row);
  }
  if (ROWS > WORKGROUP_SIZE) {
    for (var i = local_index + WORKGROUP_SIZE; i < head.z; i += WORKGROUP_SIZE) { store_row(lists[head.y + i]); }
  }
}
