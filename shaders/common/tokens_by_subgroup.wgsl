// common/tokens_by_subgroup: Y = X A^T for up to 16 tokens, one subgroup per row.
// Gives: main.  Takes: params, row_quads, row_scale.
enable subgroups;
// The lanes of a subgroup leave and loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include common/token_quads.wgsl: QUADS
// include common/store_tokens.wgsl: store_tokens

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
  // As many rows per workgroup as it has subgroups: subgroups narrower than planned leave workgroups without work.
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
