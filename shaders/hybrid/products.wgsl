// hybrid/products: for every non-zero of a token, the product of the token's row with a neuron's: a workgroup per token,
// teams of 32 lanes take turns with its entries.
// Step 0: the products, into the third plane. Step 1: what flows back through every entry, with the products and what step
// 0 left: h, its dhu and its dhg into the three planes. Step 2: the stored value times the product, into the first plane.
// Cells of the tail that hold 0 are left out: nobody reads their places.
// Source: TwELL paper, Algorithm 3 and equation 4. Differs: rows of the tail are worked out like the others, where they are
// not 0; a product is a sum of the workgroup's own, so that every run gives the same bits.
// Lanes: a multiple of 32; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 20 B per lane and 4 B.

// Lanes per workgroup, a multiple of 32.
override WORKGROUP_SIZE: u32 = 128u;

// A row for each token: bf16, eight columns each, the first of two in the lower half of a word.
@group(0) @binding(6) var<storage, read> of_tokens: array<vec4<u32>>;
// A row for each neuron.
@group(0) @binding(7) var<storage, read> of_neurons: array<vec4<u32>>;
// Planes of all entries.
@group(0) @binding(8) var<storage, read_write> flow: array<f32>;

// Lanes on one entry.
const TEAM = 32u;

// Which entries of the row are worked out next.
var<workgroup> list: array<u32, WORKGROUP_SIZE>;
var<workgroup> listed: u32;
// Two halves that take turns: the next round writes one while a lane may still read the other.
var<workgroup> parts: array<f32, 2u * WORKGROUP_SIZE>;

// A lane's part of the product: every TEAM-th group of eight.
fn dot_part(token: u32, neuron: u32, lane: u32) -> f32 {
  let eights = params.width / 8u;
  var sums = vec4<f32>();
  for (var eight = lane; eight < eights; eight += TEAM) {
    let a = of_tokens[token * eights + eight];
    let b = of_neurons[neuron * eights + eight];
    sums = fma(bitcast<vec4<f32>>(a << vec4(16u)), bitcast<vec4<f32>>(b << vec4(16u)), sums);
    sums = fma(bitcast<vec4<f32>>(a & vec4(0xffff0000u)), bitcast<vec4<f32>>(b & vec4(0xffff0000u)), sums);
  }
  return (sums.x + sums.y) + (sums.z + sums.w);
}

fn finish_entry(entry: u32, product: f32) {
  if (params.step == 0u) {
    flow[2u * params.entries + entry] = product;
  } else if (params.step == 1u) {
    let back = flow_back(factor_at(entry), flow[2u * params.entries + entry], product);
    flow[entry] = back.h;
    flow[params.entries + entry] = back.dhu;
    flow[2u * params.entries + entry] = back.dhg;
  } else {
    flow[entry] = factor_at(entry) * product;
  }
}

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
    let i = first + local_index;
    let is_there = i < places.count && is_used(places, i);
    let scan = workgroup_scan(u32(is_there), local_index);
    if (is_there) {
      list[scan.before] = i;
    }
    if (local_index == 0u) {
      listed = scan.total;
    }
    // The same in all lanes, so that they may wait for each other below.
    let count = workgroupUniformLoad(&listed);
    for (var round = 0u; round < count; round += WORKGROUP_SIZE / TEAM) {
      let place = round + team;
      let at = half + local_index;
      parts[at] = 0.0;
      if (place < count) {
        parts[at] = dot_part(token, column_at(places, list[place]), lane);
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
