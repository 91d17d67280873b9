// ell/lay_out: packed rows as the arrays of ELL, slot by slot so that neighbouring rows are side by side, a lane for two
// places.
// Source: ELLPACK-R as Vazquez, Fernandez and Garzon 2011 define it. Differs: a separate pass, so that no two lanes write
// into a word.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(tokens * slots / 2 / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index

struct Params {
  tokens: u32,
  slots: u32, // of a row
  value_bits: u32, // 16: f16, 32: f32
  index_bits: u32, // 16 or 32
}

@group(0) @binding(0) var<uniform> params: Params;
// Bits of an f32 and column of every slot that is used, one token after the other.
@group(0) @binding(1) var<storage, read> entries: array<vec2<u32>>;
// Non-zeros of each token; read alone, but it shares its buffer with what is written.
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
// Slot 0 of all tokens, then slot 1; two values in a word where they have 16 bits.
@group(0) @binding(3) var<storage, read_write> values: array<u32>;
// The columns in the same order.
@group(0) @binding(4) var<storage, read_write> indices: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 256u;

// Bits of an f32 and column at a place of the arrays; 0 where the slot is empty.
fn entry_at(place: u32) -> vec2<u32> {
  if (place >= params.tokens * params.slots) {
    return vec2<u32>();
  }
  let token = place % params.tokens;
  let slot = place / params.tokens;
  if (slot >= counts[token]) {
    return vec2<u32>();
  }
  return entries[token * params.slots + slot];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let pair = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  let places = params.tokens * params.slots;
  if (2u * pair >= places) {
    return;
  }
  let low = entry_at(2u * pair);
  let high = entry_at(2u * pair + 1u);
  if (params.value_bits == 16u) {
    values[pair] = pack2x16float(vec2(bitcast<f32>(low.x), bitcast<f32>(high.x)));
  } else {
    values[2u * pair] = low.x;
    if (2u * pair + 1u < places) {
      values[2u * pair + 1u] = high.x;
    }
  }
  if (params.index_bits == 16u) {
    indices[pair] = low.y | (high.y << 16u);
  } else {
    indices[2u * pair] = low.y;
    if (2u * pair + 1u < places) {
      indices[2u * pair + 1u] = high.y;
    }
  }
}
