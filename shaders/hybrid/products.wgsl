// hybrid/products: for every non-zero of a token, the product of the token's row with a neuron's, listed in workgroup memory
// and worked out by several lanes each.
// Step 0: the products, into one plane. Step 1: what flows back through every entry, with the products and what step 0 left
// in a plane: h, its dhu and its dhg into the first three planes. Step 2: the stored value times the product, into the
// first plane. Step 3: the same, and the product itself into the second.
// Cells of the tail that hold 0 are left out: nobody reads their places.
// Gives: WORKGROUP_SIZE, list, list_entries, dot_part, finish_entry.  Workgroup memory: 4 B per lane.

// include hybrid/pattern.wgsl: Places, is_used
// include common/workgroup_scan.wgsl: workgroup_scan
// include hybrid/block_sizes.wgsl: params
// include common/gated_backward.wgsl: flow_back
// include hybrid/stored_values.wgsl: factor_at

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

// Which entries of the row are worked out next.
var<workgroup> list: array<u32, WORKGROUP_SIZE>;

// Lists the entries among the row's places from `first` on, one place for each lane, and says how many there are. Called by
// all lanes of the workgroup, which then wait for each other before they read the list.
fn list_entries(places: Places, first: u32, local_index: u32) -> u32 {
  let i = first + local_index;
  let is_there = i < places.count && is_used(places, i);
  let scan = workgroup_scan(u32(is_there), local_index);
  if (is_there) {
    list[scan.before] = i;
  }
  return scan.total;
}

// The sums, going on with eight of a token times eight of a neuron.
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
  // Counted one by one up to an override, so that all their loads are under way together.
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
    let back = flow_back(factor_at(entry), flow[params.plane + entry], product);
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
