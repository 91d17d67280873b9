// ell/spmv_scalar: y = A x, one lane per row; neighbouring lanes read neighbouring slots.
// Source: Vazquez, Fernandez and Garzon 2011, ELLPACK-R kernel. Differs: eight slots at a time.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

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

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

// Slots whose loads are in flight together.
const SLOTS_PER_TURN = 8u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (row >= params.rows) {
    return;
  }
  let count = counts[row];
  var sum = 0.0;
  for (var first = 0u; first < count; first += SLOTS_PER_TURN) {
    for (var i = 0u; i < SLOTS_PER_TURN; i++) {
      let slot = first + i;
      let entry = min(slot, count - 1u) * params.rows + row;
      // step: product
      let product = value_at(entry) * x[index_at(entry)];
      sum += select(0.0, product, slot < count);
    }
  }
  // step: sum
  y[row] = sum;
}
