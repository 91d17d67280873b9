// dense/sum_columns: adds up the parts that dense/spmv_columns stores, a row per lane. All parts are loaded before any is added.
// Source: none, own design. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / 64), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/gemm_sizes.wgsl: params
// include common/workgroup_index.wgsl: workgroup_index

// Number of parts, at most 8.
override PARTS: u32 = 1u;

const LANES = 64u;

// One sum per row, part after part.
@group(0) @binding(1) var<storage, read_write> parts: array<f32>;
// One sum per row.
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

// The sum of a row in a part; 0 if there are not so many parts.
fn part_sum(part: u32, row: u32) -> f32 {
  return select(0.0, parts[min(part, PARTS - 1u) * params.rows + row], part < PARTS);
}

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
  let low = vec4(part_sum(0u, row), part_sum(1u, row), part_sum(2u, row), part_sum(3u, row));
  let high = vec4(part_sum(4u, row), part_sum(5u, row), part_sum(6u, row), part_sum(7u, row));
  let sums = low + high;
  y[row] = (sums.x + sums.y) + (sums.z + sums.w);
}
