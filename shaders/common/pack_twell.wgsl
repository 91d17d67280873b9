// common/pack_twell: packs dense hidden activations into TwELL, one lane per (token, tile). Used when the gate kernel does not pack.
// Source: TwELL paper, Algorithm 1 without the GEMM. Differs: a separate pass, for comparison.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(tokens * tiles / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.
// Provides: params.

// include common/workgroup_index.wgsl: workgroup_index
// include common/hidden.wgsl#bf16 or #f32: hidden_bits
// include common/bf16_bits.wgsl: bf16_of

struct Params {
  tokens: u32,
  neurons: u32,
  tiles: u32, // tiles of a token
  slots: u32, // words of a tile row
  tile_width: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Tile rows one after the other: the count, then bf16 bits above a column of 16 bits.
@group(0) @binding(2) var<storage, read_write> words: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let tile_row = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (tile_row >= params.tokens * params.tiles) {
    return;
  }
  let first = tile_row % params.tiles * params.tile_width;
  let end = min(first + params.tile_width, params.neurons);
  var place = 0u;
  for (var column = first; column < end; column++) {
    let bits = hidden_bits(tile_row / params.tiles, column);
    if ((bits & 0x7fffffffu) == 0u) {
      continue;
    }
    place++; // the count comes first
    if (place < params.slots) {
      words[tile_row * params.slots + place] = (bf16_of(bits) << 16u) | column;
    }
  }
  words[tile_row * params.slots] = place;
}
