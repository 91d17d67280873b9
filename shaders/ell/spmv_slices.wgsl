// ell/spmv_slices: y = A x, several lanes per row; neighbouring lanes read neighbouring rows of a slot.
// Source: Vazquez, Fernandez and Garzon 2011, ELLPACK-R kernel. Differs: lanes share the slots of a row, so that a few
// thousand rows fill a device; four slots at a time.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / ROWS), folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/workgroup_index.wgsl: workgroup_index
// include common/values.wgsl#f16 or #f32: value_at
// include common/indices.wgsl#16 or #32: index_at

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Entries of row i, which use its first slots.
@group(0) @binding(3) var<storage, read> counts: array<u32>;
// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Rows per workgroup, a power of two that is at most its lanes.
override ROWS: u32 = 32u;

// Slots whose loads are in flight together.
const SLOTS_PER_TURN = 4u;

// What each lane sums of its row.
var<workgroup> sums: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * ROWS + local_index % ROWS;
  let lanes_per_row = WORKGROUP_SIZE / ROWS;
  var count = 0u;
  if (row < params.rows) {
    count = counts[row];
  }
  var sum = 0.0;
  for (var first = local_index / ROWS; first < count; first += SLOTS_PER_TURN * lanes_per_row) {
    for (var i = 0u; i < SLOTS_PER_TURN; i++) {
      let slot = first + i * lanes_per_row;
      let entry = min(slot, count - 1u) * params.rows + row;
      // step: product
      let product = value_at(entry) * x[index_at(entry)];
      sum += select(0.0, product, slot < count);
    }
  }
  sums[local_index] = sum;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance >= ROWS; distance >>= 1u) {
    if (local_index < distance) {
      sums[local_index] += sums[local_index + distance];
    }
    workgroupBarrier();
  }
  if (local_index < ROWS && row < params.rows) {
    // step: sum
    y[row] = sums[local_index];
  }
}
