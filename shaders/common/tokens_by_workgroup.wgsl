// common/tokens_by_workgroup: Y = X A^T for up to 16 tokens, one workgroup per row, summed through workgroup memory.
// Gives: main, WORKGROUP_SIZE.  Takes: params, row_quads, row_scale.

// include common/workgroup_index.wgsl: workgroup_index
// include common/token_quads.wgsl: QUADS
// include common/store_tokens.wgsl: store_tokens

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
