// hybrid/down: y = h Wd for h in the hybrid format, or with factors computed from h: the sum of the rows of Wd that h selects.
// Several workgroups per token, each for a part of the columns; neighbouring lanes compute neighbouring columns.
// Source: TwELL paper, Algorithm 3 and listing 3. Differs: one pass over slots and tail, in the order of the tokens.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows * ceil(width / 8 / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 16 B per lane.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/sum_of_rows.wgsl: list_rows, list_factors, groups_of_sum, add_listed, store_sums
// include common/listed_rows.wgsl: Sums
// include hybrid/sizes.wgsl#block: params
// include hybrid/pattern.wgsl: places_of, column_at, is_used
// include common/workgroup_scan.wgsl: workgroup_scan
// include hybrid/factors.wgsl#stored or #computed: factor_at

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let group = workgroup_index(workgroup_id, num_workgroups);
  let token = group / groups_of_sum();
  if (token >= params.rows) {
    return;
  }
  // This lane computes columns 8 eight .. 8 eight + 7 of y.
  let eight = group % groups_of_sum() * WORKGROUP_SIZE + local_index;
  let places = places_of(token);
  var sums = Sums();
  // Each step lists the used slots of WORKGROUP_SIZE slots, compacted by a prefix sum, then adds the listed rows.
  for (var first = 0u; first < places.count; first += WORKGROUP_SIZE) {
    let i = first + local_index;
    // Whether slot i of this token exists and stores a non-zero.
    let is_there = i < places.count && is_used(places, i);
    let scan = workgroup_scan(u32(is_there), local_index);
    if (is_there) {
      list_rows[scan.before] = column_at(places, i);
      list_factors[scan.before] = factor_at(places.first + i);
    }
    workgroupBarrier();
    add_listed(&sums, scan.total, eight);
    workgroupBarrier(); // the list is filled again
  }
  store_sums(token, eight, sums);
}
