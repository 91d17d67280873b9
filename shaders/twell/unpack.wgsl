// twell/unpack: packed TwELL in full, a workgroup per token: zeros first, then the non-zeros.
// Source: TwELL paper, section 3.2. Differs: there it is not needed; here it shows what packing saves.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index

struct Params {
  tokens: u32,
  neurons: u32,
  tiles: u32, // tiles of a token
  slots: u32, // words of a tile row
}

@group(0) @binding(0) var<uniform> params: Params;
// Tile rows one after the other: the count, then bf16 bits above a column of 16 bits.
@group(0) @binding(1) var<storage, read> words: array<u32>;
// The bits of an f32 per neuron, one token after the other.
@group(0) @binding(2) var<storage, read_write> h: array<u32>;

// Lanes per workgroup.
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
  for (var column = local_index; column < params.neurons; column += WORKGROUP_SIZE) {
    h[token * params.neurons + column] = 0u;
  }
  storageBarrier();
  let places = params.tiles * params.slots;
  for (var place = local_index; place < places; place += WORKGROUP_SIZE) {
    let slot = place % params.slots;
    if (slot - 1u < words[token * places + place - slot]) { // wraps around for the count itself
      let word = words[token * places + place];
      h[token * params.neurons + (word & 0xffffu)] = word & 0xffff0000u;
    }
  }
}
