// common/gemm_by_row: Y = X A^T for up to 16 tokens, several lanes per row.
// Requires: params, y.

// include common/workgroup_index.wgsl: workgroup_index
// include common/token_quads.wgsl: QUADS

// Stores the sums of a row for four tokens.
fn store_tokens(row: u32, token: u32, sums: vec4<f32>) {
  let at = token * params.rows + row;
  if (token < params.tokens) { y[at] = sums.x; }
  if (token + 1u < params.tokens) { y[at + params.rows] = sums.y; }
  if (token + 2u < params.tokens) { y[at + 2u * params.rows] = sums.z; }
  if (token + 3u < params.tokens) { y[at + 3u * params.rows] = sums.w; }
}

// variant subgroup: one subgroup per row.
// Provides: main.  Requires: row_quads, row_scale.
enable subgroups;
// Control flow is uniform in a subgroup, since its lanes share the row, but the analysis of WGSL cannot prove it.
diagnostic(off, subgroup_uniformity);

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  // A row per subgroup. If subgroups are smaller than planned, a workgroup has more of them, and the last workgroups no rows.
  let row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / lanes) + local_index / lanes;
  if (row >= params.rows) {
    return;
  }
  let sums = row_quads(row, lane, lanes);
  let scale = row_scale(row);
  let a = scale * subgroupAdd(sums.a);
  if (lane == 0u) { store_tokens(row, 0u, a); }
  if (QUADS > 1u) {
    let b = scale * subgroupAdd(sums.b);
    if (lane == 0u) { store_tokens(row, 4u, b); }
  }
  if (QUADS > 2u) {
    let c = scale * subgroupAdd(sums.c);
    if (lane == 0u) { store_tokens(row, 8u, c); }
  }
  if (QUADS > 3u) {
    let d = scale * subgroupAdd(sums.d);
    if (lane == 0u) { store_tokens(row, 12u, d); }
  }
}

// variant workgroup: one workgroup per row, summed through workgroup memory.
// Provides: main, WORKGROUP_SIZE.  Requires: row_scale, row_quads.

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;

var<workgroup> lane_quads: array<vec4<f32>, WORKGROUP_SIZE>;

// The sum over the lanes, stored by the first of them; called by all lanes of the workgroup.
fn sum_and_store(row: u32, token: u32, sums: vec4<f32>, local_index: u32) {
  lane_quads[local_index] = sums;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      lane_quads[local_index] += lane_quads[local_index + distance];
    }
    workgroupBarrier();
  }
  if (local_index == 0u) {
    store_tokens(row, token, row_scale(row) * lane_quads[0]);
  }
  workgroupBarrier(); // the next call writes again
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups);
  if (row >= params.rows) {
    return;
  }
  let sums = row_quads(row, local_index, WORKGROUP_SIZE);
  sum_and_store(row, 0u, sums.a, local_index);
  if (QUADS > 1u) { sum_and_store(row, 4u, sums.b, local_index); }
  if (QUADS > 2u) { sum_and_store(row, 8u, sums.c, local_index); }
  if (QUADS > 3u) { sum_and_store(row, 12u, sums.d, local_index); }
}
