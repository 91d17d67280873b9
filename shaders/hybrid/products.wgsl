// hybrid/products: for every non-zero of a token, the product of the token's row with a neuron's, listed in workgroup memory
// and computed by several lanes each.
// Step 0: the products, into one plane. Step 1: the gradients of every entry, from the products and the plane of step 0:
// h, its dhu and its dhg into the first three planes. Step 2: the stored value times the product, into the
// first plane. Step 3: the same, and the product itself into the second.
// Cells of the tail that are 0 are skipped: nothing reads their products.
// Source: TwELL paper, Algorithm 3, listing 5 and equation 4. Differs: rows of the tail are computed like the others, where
// they are not 0; products stay in f32.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/pattern.wgsl: Places, is_used, places_of, column_at
// include common/workgroup_scan.wgsl: workgroup_scan
// include hybrid/sizes.wgsl#block: params
// include common/gated_backward.wgsl: flow_back
// include hybrid/factors.wgsl#stored: factor_at

// Lanes per workgroup, a multiple of 32.
override WORKGROUP_SIZE: u32 = 128u;
// Steps in which every lane has its columns, however many lanes take an entry: floor(width / 8 / most lanes).
override FULL_STEPS: u32 = 0u;

// A row for each token: bf16, eight columns each, the first of two in the lower half of a word.
@group(0) @binding(6) var<storage, read> of_tokens: array<vec4<u32>>;
// A row for each neuron.
@group(0) @binding(7) var<storage, read> of_neurons: array<vec4<u32>>;
// Planes of all entries.
@group(0) @binding(8) var<storage, read_write> flow: array<f32>;

// Which entries of the row are computed next.
var<workgroup> list: array<u32, WORKGROUP_SIZE>;

// Lists the entries among the row's positions from `first` on, one per lane, and returns how many there are. Called by
// all lanes of the workgroup, which then wait for each other before they read the list.
fn list_entries(places: Places, first: u32, local_index: u32) -> u32 {
  let i = first + local_index;
  let is_listed = i < places.count && is_used(places, i);
  let scan = workgroup_scan(u32(is_listed), local_index);
  if (is_listed) {
    list[scan.before] = i;
  }
  return scan.total;
}

// The sums, plus eight numbers of a token times eight of a neuron.
fn add_eight(a: vec4<u32>, b: vec4<u32>, sums: vec4<f32>) -> vec4<f32> {
  let even = fma(bitcast<vec4<f32>>(a << vec4(16u)), bitcast<vec4<f32>>(b << vec4(16u)), sums);
  return fma(bitcast<vec4<f32>>(a & vec4(0xffff0000u)), bitcast<vec4<f32>>(b & vec4(0xffff0000u)), even);
}

// A lane's part of the product: every `lanes`-th group of eight.
fn dot_part(token: u32, neuron: u32, lane: u32, lanes: u32) -> f32 {
  let eights = params.width / 8u;
  let of_token = token * eights;
  let of_neuron = neuron * eights;
  var sums = vec4<f32>();
  // Counted one by one up to an override, so that all their loads are in flight together.
  for (var step = 0u; step < FULL_STEPS; step++) {
    let eight = step * lanes + lane;
    sums = add_eight(of_tokens[of_token + eight], of_neurons[of_neuron + eight], sums);
  }
  for (var eight = FULL_STEPS * lanes + lane; eight < eights; eight += lanes) {
    sums = add_eight(of_tokens[of_token + eight], of_neurons[of_neuron + eight], sums);
  }
  return (sums.x + sums.y) + (sums.z + sums.w);
}

fn finish_entry(entry: u32, product: f32) {
  if (params.step == 0u) {
    flow[params.plane + entry] = product;
  } else if (params.step == 1u) {
    let back = flow_back(factor_at(entry), flow[params.plane + entry], product, params.l1_weight);
    flow[entry] = back.h;
    flow[params.entries + entry] = back.dhu;
    flow[2u * params.entries + entry] = back.dhg;
  } else {
    flow[entry] = factor_at(entry) * product;
    if (params.step == 3u) {
      flow[params.entries + entry] = product;
    }
  }
}

// variant subgroup: a workgroup per token, whose subgroups take turns with its entries.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = rows, folded into y above 65535.  Needs: subgroups.  Workgroup memory: 12 B per lane.
enable subgroups;
// A subgroup is on one entry at a time, so that its lanes stay together; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

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
    // The scan in list_entries keeps lanes from writing the list again while others read it.
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

// variant workgroup: a workgroup per token, whose teams of 32 lanes take turns with its entries.
// Lanes: a multiple of 32; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 20 B per lane and 4 B.

// Lanes per entry.
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
