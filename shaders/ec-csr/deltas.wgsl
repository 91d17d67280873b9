// ec-csr/deltas: reads stored deltas (distances between the columns of a block), packed in 4, 8 or 16 bits, four at a time or
// one by one. `place`: the position of a delta in its set.

// variant 4: four bits, eight in a u32, the lowest bits first.
// Provides: PackedDeltas, packed_deltas, unpacked_deltas, sum_of_deltas, delta_at.

// include ec-csr/sets.wgsl: BlockSet

// Eight deltas per element; a set begins with a new element.
@group(0) @binding(2) var<storage, read> deltaIndices: array<u32>;

// Four deltas, in the lower half.
alias PackedDeltas = u32;

// The deltas of four columns from `place` on, a multiple of four.
fn packed_deltas(blocks: BlockSet, place: u32) -> PackedDeltas {
  return deltaIndices[blocks.delta_words_at + place / 8u] >> (4u * (place & 4u));
}

fn unpacked_deltas(four: PackedDeltas) -> vec4<u32> {
  return (vec4(four) >> vec4(0u, 4u, 8u, 12u)) & vec4(15u);
}

// The sum of the first `count` of four, 1 to 4.
fn sum_of_deltas(four: PackedDeltas, count: u32) -> u32 {
  return dot(select(vec4(0u), unpacked_deltas(four), vec4(0u, 1u, 2u, 3u) < vec4(count)), vec4(1u));
}

fn delta_at(blocks: BlockSet, place: u32) -> u32 {
  return (deltaIndices[blocks.delta_words_at + place / 8u] >> (4u * (place & 7u))) & 15u;
}

// variant 8: eight bits, four in a u32, the lowest bits first.
// Provides: PackedDeltas, packed_deltas, unpacked_deltas, sum_of_deltas, delta_at.

// include ec-csr/sets.wgsl: BlockSet

// Four deltas per element; a set begins with a new element.
@group(0) @binding(2) var<storage, read> deltaIndices: array<u32>;

// Four deltas.
alias PackedDeltas = u32;

// The deltas of four columns from `place` on, a multiple of four.
fn packed_deltas(blocks: BlockSet, place: u32) -> PackedDeltas {
  return deltaIndices[blocks.delta_words_at + place / 4u];
}

fn unpacked_deltas(four: PackedDeltas) -> vec4<u32> {
  return (vec4(four) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u);
}

// The sum of the first `count` of four, 1 to 4.
fn sum_of_deltas(four: PackedDeltas, count: u32) -> u32 {
  return dot4U8Packed(four, 0x01010101u >> (32u - 8u * count));
}

fn delta_at(blocks: BlockSet, place: u32) -> u32 {
  return (deltaIndices[blocks.delta_words_at + place / 4u] >> (8u * (place & 3u))) & 255u;
}

// variant 16: sixteen bits, two in a u32, the lower half first.
// Provides: PackedDeltas, packed_deltas, unpacked_deltas, sum_of_deltas, delta_at.

// include ec-csr/sets.wgsl: BlockSet

// Two deltas per element; a set begins with a new element.
@group(0) @binding(2) var<storage, read> deltaIndices: array<u32>;

// Four deltas.
alias PackedDeltas = vec2<u32>;

// The deltas of four columns from `place` on, a multiple of four.
fn packed_deltas(blocks: BlockSet, place: u32) -> PackedDeltas {
  let word = blocks.delta_words_at + place / 2u;
  return vec2(deltaIndices[word], deltaIndices[word + 1u]);
}

fn unpacked_deltas(four: PackedDeltas) -> vec4<u32> {
  return (four.xxyy >> vec4(0u, 16u, 0u, 16u)) & vec4(0xffffu);
}

// The sum of the first `count` of four, 1 to 4.
fn sum_of_deltas(four: PackedDeltas, count: u32) -> u32 {
  return dot(select(vec4(0u), unpacked_deltas(four), vec4(0u, 1u, 2u, 3u) < vec4(count)), vec4(1u));
}

fn delta_at(blocks: BlockSet, place: u32) -> u32 {
  return (deltaIndices[blocks.delta_words_at + place / 2u] >> (16u * (place & 1u))) & 0xffffu;
}
