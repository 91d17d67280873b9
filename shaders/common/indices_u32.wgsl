// common/indices_u32: column indices as u32.
// Gives: load_indices, index_at.

// Four indices; a group of eight is elements 2 g and 2 g + 1. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> indices: array<vec4<u32>>;

struct EightIndices {
  low: vec4<u32>, // entries 0 to 3 of the group
  high: vec4<u32>, // entries 4 to 7
}

fn load_indices(group: u32) -> EightIndices {
  return EightIndices(indices[2u * group], indices[2u * group + 1u]);
}

fn index_at(entry: u32) -> u32 {
  return indices[entry >> 2u][entry & 3u];
}
