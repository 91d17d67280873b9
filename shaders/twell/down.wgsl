// twell/down: y = h Wd, a workgroup per token, neighbouring lanes on neighbouring columns.
// Source: TwELL paper, listing 3. Differs: the non-zeros of many tile rows are listed first, so that
// one loop multiplies them all, instead of a short loop for each tile row.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 40 B per lane.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include twell/token_sizes.wgsl: params
// include twell/add_rows.wgsl: MOST_CHUNKS, add_listed, store_sums
// include common/listed_rows.wgsl: Sums
// include twell/token_list.wgsl: store_overflow, collect

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let token = workgroup_index(workgroup_id, num_workgroups);
  if (token >= params.tokens) {
    return;
  }
  var sums: array<Sums, MOST_CHUNKS>;
  for (var first_slot = 0u; first_slot < params.tiles * params.slots; first_slot += 4u * WORKGROUP_SIZE) {
    let count = collect(token, first_slot, local_index);
    add_listed(&sums, count, local_index);
    workgroupBarrier(); // all lanes have read the list, which collect fills again
  }
  store_sums(token, local_index, &sums);
  store_overflow(token, local_index);
}
