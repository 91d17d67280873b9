// twell/up_down: y = (h * x Wu^T) Wd of the neurons that fired, a workgroup per token.
// Source: TwELL paper, Algorithm 2. Differs: the non-zeros of a token are listed first and computed side by side.

// variant subgroup: on the way up a subgroup per neuron, on the way down neighbouring lanes on neighbouring columns.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = tokens, folded into y above 65535.  Needs: subgroups.  Workgroup memory: 40 B per lane.
// Provides: WORKGROUP_SIZE.
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

// variant workgroup: on the way up 32 lanes per neuron, on the way down neighbouring lanes on neighbouring columns.
// Lanes: a multiple of 32; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 44 B per lane.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include twell/token_sizes.wgsl: params
// include twell/add_rows.wgsl: MOST_CHUNKS, add_listed, store_sums
// include common/listed_rows.wgsl: Sums
// include twell/token_list.wgsl: list_columns, list_values, store_overflow, collect
// include twell/up_dot.wgsl: dot_part

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;

// Lanes on one neuron.
const TEAM = 32u;

var<workgroup> parts: array<f32, WORKGROUP_SIZE>;
var<workgroup> listed: u32;

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
  let teams = WORKGROUP_SIZE / TEAM;
  var sums: array<Sums, MOST_CHUNKS>;
  for (var place = 0u; place < params.tiles * params.slots; place += 4u * WORKGROUP_SIZE) {
    let found = collect(token, place, local_index);
    if (local_index == 0u) {
      listed = found;
    }
    // The same in all lanes, so that they may wait for each other below.
    let count = workgroupUniformLoad(&listed);
    for (var first = 0u; first < count; first += teams) {
      let i = first + local_index / TEAM;
      parts[local_index] = 0.0;
      if (i < count) {
        parts[local_index] = dot_part(token, list_columns[i], local_index % TEAM, TEAM);
      }
      for (var distance = TEAM / 2u; distance > 0u; distance >>= 1u) {
        workgroupBarrier();
        if (local_index % TEAM < distance) {
          parts[local_index] += parts[local_index + distance];
        }
      }
      if (local_index % TEAM == 0u && i < count) {
        list_values[i] *= parts[local_index];
      }
      workgroupBarrier(); // the next iteration writes again
    }
    workgroupBarrier();
    add_listed(&sums, count, local_index);
    workgroupBarrier(); // the list is filled anew
  }
  store_sums(token, local_index, &sums);
  store_overflow(token, local_index);
}
