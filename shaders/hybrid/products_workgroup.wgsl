// hybrid/products_workgroup: products for the non-zeros of a token, a workgroup per token: teams of 32 lanes take turns with
// its entries.
// Source: TwELL paper, Algorithm 3, listing 5 and equation 4. Differs: rows of the tail are worked out like the others, where
// they are not 0; products stay in f32.
// Lanes: a multiple of 32; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 20 B per lane and 4 B.

// include hybrid/products.wgsl: WORKGROUP_SIZE, list, list_entries, dot_part, finish_entry
// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/block_sizes.wgsl: params
// include hybrid/pattern.wgsl: places_of, column_at

// Lanes on one entry.
const TEAM = 32u;

// How many entries are listed.
var<workgroup> listed: u32;
// Two halves that take turns: the next round writes one while a lane may still read the other.
var<workgroup> parts: array<f32, 2u * WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let token = workgroup_index(workgroup_id, num_workgroups);
  if (token >= params.rows) {
    return;
  }
  let places = places_of(token);
  let team = local_index / TEAM;
  let lane = local_index % TEAM;
  var half = 0u;
  for (var first = 0u; first < places.count; first += WORKGROUP_SIZE) {
    let found = list_entries(places, first, local_index);
    if (local_index == 0u) {
      listed = found;
    }
    // The same in all lanes, so that they may wait for each other below.
    let count = workgroupUniformLoad(&listed);
    for (var round = 0u; round < count; round += WORKGROUP_SIZE / TEAM) {
      let place = round + team;
      let at = half + local_index;
      parts[at] = 0.0;
      if (place < count) {
        parts[at] = dot_part(token, column_at(places, list[place]), lane, TEAM);
      }
      for (var distance = TEAM / 2u; distance > 0u; distance >>= 1u) {
        workgroupBarrier();
        if (lane < distance) {
          parts[at] += parts[at + distance];
        }
      }
      if (lane == 0u && place < count) {
        finish_entry(places.first + list[place], parts[at]);
      }
      half = WORKGROUP_SIZE - half;
    }
  }
}
