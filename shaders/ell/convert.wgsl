// ell/convert: rows of h in full packed to the left, a workgroup per token: a slot is known only after all neurons in
// front of it, so the whole row has to be there.
// Source: ELLPACK-R as Vazquez, Fernandez and Garzon 2011 define it. Differs: made on the device, by prefix sums.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 8 B per lane.
// Gives: params, WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include common/hidden.wgsl#bf16: hidden_bits
// include common/workgroup_scan.wgsl: workgroup_scan

struct Params {
  tokens: u32,
  neurons: u32,
  slots: u32, // of a row
}

@group(0) @binding(0) var<uniform> params: Params;
// Bits of an f32 and column of every slot that is used, one token after the other.
@group(0) @binding(2) var<storage, read_write> entries: array<vec2<u32>>;
// Non-zeros of each token, also those that have no slot.
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

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
  var count = 0u;
  for (var first = 0u; first < params.neurons; first += WORKGROUP_SIZE) {
    let neuron = first + local_index;
    var bits = 0u;
    if (neuron < params.neurons) {
      bits = hidden_bits(token, neuron);
    }
    let answers = (bits & 0x7fffffffu) != 0u;
    let scan = workgroup_scan(u32(answers), local_index);
    let slot = count + scan.before;
    if (answers && slot < params.slots) {
      entries[token * params.slots + slot] = vec2(bits, neuron);
    }
    count += scan.total;
  }
  if (local_index == 0u) {
    counts[token] = count;
  }
}
