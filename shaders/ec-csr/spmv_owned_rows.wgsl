// ec-csr/spmv_owned_rows: y = A x in one pass without subgroups. Every row belongs to one workgroup, which computes all
// blocks that have any of its rows; every lane keeps its own sum of each of these rows in workgroup memory, and they are
// added up in the end. For 32 lanes of four columns, deltas of eight bits and values of f16.
// Source: EC-SpMV paper, section 7, for the blocks. Differs: rows, tasks and slots are listed by the host; sums of blocks
// that meet in a row are added in a fixed order; a block with rows of several workgroups is computed by each of them.
// Lanes: any multiple of 32; subgroups are not used.
// Dispatch: x = WORKGROUPS.  Needs: nothing.
// Workgroup memory: 4 B per lane and row of the workgroup that has most.
// Provides: WORKGROUP_SIZE.

// include ec-csr/task_rows.wgsl: Task, task_of, task_sum_1, task_sums_2, task_sums_4, task_sums_8

// Three lists, one after the other, as in ec-csr/spmv_staged:
// - per workgroup: its first row in the third list (y), and its number of rows (z);
// - TASKS tasks per share (32 lanes) of every workgroup; unused ones at the end have no columns;
// - per row, workgroup by workgroup: the row (x).
@group(0) @binding(0) var<storage, read> lists: array<vec4<u32>>;
// Per task: a byte for each of up to eight rows of its block, the slot of the row among the rows of the workgroup; 255 for a
// row that belongs to another workgroup.
@group(0) @binding(5) var<storage, read> slots: array<vec2<u32>>;
// One sum per row.
@group(0) @binding(7) var<storage, read_write> y: array<f32>;

// Lanes per workgroup, a multiple of 32 and of ROW_LANES.
override WORKGROUP_SIZE: u32 = 256u;
// Workgroups that the lists were made for.
override WORKGROUPS: u32 = 1u;
// Tasks of the share that has most; a share is 32 lanes.
override TASKS: u32 = 1u;
// Rows of the workgroup that has most, 1 to 255.
override ROWS: u32 = 1u;
// Lanes that add up a row in the end, a power of two up to 32.
override ROW_LANES: u32 = 1u;
// The granularities of all sets, added up; code for other granularities is removed.
override GRANULARITIES: u32 = 15u;

// Row by row, lane by lane.
var<workgroup> sums: array<f32, ROWS * WORKGROUP_SIZE>;

// Adds a sum to the row whose slot is the lowest byte of `row_slots`.
fn add_to(row_slots: u32, local_index: u32, sum: f32) {
  let slot = row_slots & 255u;
  if (slot < ROWS) {
    sums[slot * WORKGROUP_SIZE + local_index] += sum;
  }
}

fn add_four(row_slots: u32, local_index: u32, four: vec4<f32>) {
  add_to(row_slots, local_index, four.x);
  add_to(row_slots >> 8u, local_index, four.y);
  add_to(row_slots >> 16u, local_index, four.z);
  add_to(row_slots >> 24u, local_index, four.w);
}

fn compute(task: Task, row_slots: vec2<u32>, local_index: u32) {
  let lane = local_index % 32u;
  if ((GRANULARITIES & 8u) != 0u && task.kind == 3u) {
    let eight = task_sums_8(task, lane);
    add_four(row_slots.x, local_index, eight[0]);
    add_four(row_slots.y, local_index, eight[1]);
  } else if ((GRANULARITIES & 4u) != 0u && task.kind == 2u) {
    add_four(row_slots.x, local_index, task_sums_4(task, lane));
  } else if ((GRANULARITIES & 2u) != 0u && task.kind == 1u) {
    let two = task_sums_2(task, lane);
    add_to(row_slots.x, local_index, two.x);
    add_to(row_slots.x >> 8u, local_index, two.y);
  } else if ((GRANULARITIES & 1u) != 0u) {
    add_to(row_slots.x, local_index, task_sum_1(task, lane));
  }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let head = lists[workgroup_id.x];
  let first_task = (workgroup_id.x * (WORKGROUP_SIZE / 32u) + local_index / 32u) * TASKS;
  var task = lists[WORKGROUPS + first_task];
  var task_slots = slots[first_task];
  for (var row = 0u; row < ROWS; row++) { sums[row * WORKGROUP_SIZE + local_index] = 0.0; }
  for (var t = 0u; t < TASKS; t++) {
    let current = task_of(task);
    if (current.columns == 0u) {
      break;
    }
    let current_slots = task_slots;
    // Loads the next task while the current one is computed. After the last task it loads the last one again.
    let next = first_task + min(t + 1u, TASKS - 1u);
    task = lists[WORKGROUPS + next];
    task_slots = slots[next];
    compute(current, current_slots, local_index);
  }
  workgroupBarrier();
  // ROW_LANES lanes add up a row: each adds a part of the lanes' sums, and then the first lane adds the parts.
  // step: row
  let part = local_index % ROW_LANES;
  for (var first = 0u; first < ROWS; first += WORKGROUP_SIZE / ROW_LANES) {
    let row = first + local_index / ROW_LANES;
    let part_at = row * WORKGROUP_SIZE + part;
    if (row < head.z) {
      var part_sum = 0.0;
      for (var l = 0u; l < WORKGROUP_SIZE; l += ROW_LANES) { part_sum += sums[part_at + l]; }
      sums[part_at] = part_sum;
    }
    workgroupBarrier();
    if (row < head.z && part == 0u) {
      var sum = 0.0;
      for (var l = 0u; l < ROW_LANES; l++) { sum += sums[part_at + l]; }
      y[lists[head.y + row].x] = sum;
    }
  }
}
