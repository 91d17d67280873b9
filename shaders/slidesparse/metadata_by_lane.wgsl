// slidesparse/metadata_by_lane: the metadata in the order in which lanes need it: one word for the four pairs of windows
// of a lane, 32 words for a block.
// Gives: lane_nibbles.

// include slidesparse/matrix.wgsl: params, BLOCK

// Pairs lane, lane + 32, lane + 64 and lane + 96 of a block each, low nibble first; a row begins on a block.
@group(0) @binding(2) var<storage, read> metadata: array<u32>;

fn lane_nibbles(row: u32, block: u32, lane: u32) -> u32 {
  let blocks = (params.windows / 2u + BLOCK - 1u) / BLOCK;
  return metadata[(row * blocks + block) * 32u + lane];
}
