// hybrid/products_subgroup: products for the non-zeros of a token, a workgroup per token: subgroups take turns with its
// entries.
// Source: TwELL paper, Algorithm 3, listing 5 and equation 4. Differs: rows of the tail are worked out like the others, where
// they are not 0; products stay in f32.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = rows, folded into y above 65535.  Needs: subgroups.  Workgroup memory: 12 B per lane.
enable subgroups;
// A subgroup is on one entry at a time, so that its lanes stay together; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include hybrid/products.wgsl: WORKGROUP_SIZE, list, list_entries, dot_part, finish_entry
// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/block_sizes.wgsl: params
// include hybrid/pattern.wgsl: places_of, column_at

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let token = workgroup_index(workgroup_id, num_workgroups);
  if (token >= params.rows) {
    return;
  }
  let places = places_of(token);
  for (var first = 0u; first < places.count; first += WORKGROUP_SIZE) {
    // Its scan keeps lanes from writing the list anew while others read it.
    let count = list_entries(places, first, local_index);
    workgroupBarrier();
    for (var i = local_index / lanes; i < count; i += WORKGROUP_SIZE / lanes) {
      let product = subgroupAdd(dot_part(token, column_at(places, list[i]), lane, lanes));
      if (lane == 0u) {
        finish_entry(places.first + list[i], product);
      }
    }
  }
}
