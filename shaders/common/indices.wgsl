// common/indices: column indices, eight of a group at a time or one by one.

// variant 16: u16, two in a u32, the lower half first.
// Provides: load_indices, index_at.

// Eight indices of a group: entries 8 g .. 8 g + 7. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> indices: array<vec4<u32>>;

struct EightIndices {
  low: vec4<u32>, // entries 0 to 3 of the group
  high: vec4<u32>, // entries 4 to 7
}

fn load_indices(group: u32) -> EightIndices {
  let word = indices[group];
  let even = word & vec4(0xffffu);
  let odd = word >> vec4(16u);
  return EightIndices(vec4(even.x, odd.x, even.y, odd.y), vec4(even.z, odd.z, even.w, odd.w));
}

fn index_at(entry: u32) -> u32 {
  return (indices[entry >> 3u][(entry >> 1u) & 3u] >> (16u * (entry & 1u))) & 0xffffu;
}

// variant 32: u32.
// Provides: load_indices, index_at.

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
