// dense/sum_parts: adds up the parts that dense/gemm_split stores, four neighbouring sums of a token per lane.
// Source: split-K GEMM as in CUTLASS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(tokens * ceil(rows / 4) / 64), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/gemm_sizes.wgsl: params
// include common/workgroup_index.wgsl: workgroup_index

// Number of parts.
override PARTS: u32 = 1u;

const LANES = 64u;

// As dense/gemm_split stores them.
@group(0) @binding(1) var<storage, read_write> parts: array<vec4<f32>>;
// One token after the other.
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let fours = (params.rows + 3u) / 4u;
  let i = workgroup_index(workgroup_id, num_workgroups) * LANES + lane;
  if (i >= params.tokens * fours) {
    return;
  }
  var sums = parts[i];
  for (var part = 1u; part < PARTS; part++) {
    sums += parts[part * params.tokens * fours + i];
  }
  let row = 4u * (i % fours);
  let at = i / fours * params.rows + row;
  y[at] = sums.x;
  if (row + 1u < params.rows) { y[at + 1u] = sums.y; }
  if (row + 2u < params.rows) { y[at + 2u] = sums.z; }
  if (row + 3u < params.rows) { y[at + 3u] = sums.w; }
}
