// slidesparse/metadata: reads the metadata of windows: a nibble per window, which two of its four columns have stored values.

// variant by_lane: in the order in which lanes need it: one word for the four pairs of windows of a lane, 32 words for a block.
// Provides: lane_nibbles.

// include slidesparse/matrix.wgsl: params, BLOCK

// One word per lane: the nibbles of its four pairs of windows, number lane, lane + 32, lane + 64 and lane + 96 of a block, the
// lowest bits first. A row begins with a new block.
@group(0) @binding(2) var<storage, read> metadata: array<u32>;

fn lane_nibbles(row: u32, block: u32, lane: u32) -> u32 {
  let blocks = (params.windows / 2u + BLOCK - 1u) / BLOCK;
  return metadata[(row * blocks + block) * 32u + lane];
}

// variant natural: as the format defines it: a nibble per window, in the order of windows.
// Provides: lane_nibbles.

// include slidesparse/matrix.wgsl: params, BLOCK

// Eight windows per word, the lowest nibble first; a row begins with a new word.
@group(0) @binding(2) var<storage, read> metadata: array<u32>;

// The nibbles of pairs lane, lane + 32, lane + 64 and lane + 96 of a block, low first. Four lanes read the same word.
fn lane_nibbles(row: u32, block: u32, lane: u32) -> u32 {
  let first = (row * (params.windows / 2u) + block * BLOCK + lane) >> 2u;
  let shift = 8u * (lane & 3u);
  var nibbles = 0u;
  for (var j = 0u; j < 4u; j++) {
    nibbles |= ((metadata[first + 8u * j] >> shift) & 255u) << (8u * j);
  }
  return nibbles;
}
