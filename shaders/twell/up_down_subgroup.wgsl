// twell/up_down_subgroup: y = (h * x Wu^T) Wd, a workgroup per token: subgroups take turns with neurons on the way up,
// neighbouring lanes take neighbouring columns on the way down.
// Source: TwELL paper, Algorithm 2. Differs: the non-zeros of a token are listed first and computed side by side.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = tokens, folded into y above 65535.  Needs: subgroups.  Workgroup memory: 40 B per lane.
// Gives: WORKGROUP_SIZE.
enable subgroups;
// A subgroup is on one neuron at a time, so that its lanes stay together; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include twell/token_sizes.wgsl: params
// include twell/add_rows.wgsl: MOST_CHUNKS, add_listed, store_sums
// include common/listed_rows.wgsl: Sums
// include twell/token_list.wgsl: list_columns, list_values, store_overflow, collect
// include twell/up_dot.wgsl: dot_part

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let token = workgroup_index(workgroup_id, num_workgroups);
  if (token >= params.tokens) {
    return;
  }
  var sums: array<Sums, MOST_CHUNKS>;
  for (var place = 0u; place < params.tiles * params.slots; place += 4u * WORKGROUP_SIZE) {
    let count = collect(token, place, local_index);
    for (var i = local_index / lanes; i < count; i += WORKGROUP_SIZE / lanes) {
      let up = subgroupAdd(dot_part(token, list_columns[i], lane, lanes));
      if (lane == 0u) {
        list_values[i] *= up;
      }
    }
    workgroupBarrier();
    add_listed(&sums, count, local_index);
    workgroupBarrier(); // the list is filled anew
  }
  store_sums(token, local_index, &sums);
  store_overflow(token, local_index);
}
