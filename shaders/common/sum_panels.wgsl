// common/sum_panels: y of each row, the sum of its partial sums of all panels (ranges of columns). One lane per row.
// Source: ours. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / 64), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index

// How many panels there are.
override PANELS: u32 = 2u;

const LANES = 64u;

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// One sum per row and panel, all rows of a panel one after the other.
@group(0) @binding(1) var<storage, read_write> partials: array<f32>;
// One sum per row.
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * LANES + lane;
  if (row >= params.rows) {
    return;
  }
  var sum = partials[row];
  for (var panel = 1u; panel < PANELS; panel++) {
    sum += partials[panel * params.rows + row];
  }
  y[row] = sum;
}
