// slidesparse/metadata_natural: the metadata as the format defines it, a nibble per window in the order of windows.
// Gives: metadata, lane_nibbles.

// Eight windows each, low nibble first; a row begins on a word.
@group(0) @binding(2) var<storage, read> metadata: array<u32>;

// The nibbles of windows lane, lane + 32 ... lane + 224 of a block, low first. Eight lanes read the same word.
fn lane_nibbles(row: u32, block: u32, lane: u32) -> u32 {
  let first = (row * params.windows + block * BLOCK + lane) >> 3u;
  let shift = 4u * (lane & 7u);
  var nibbles = 0u;
  for (var j = 0u; j < 8u; j++) {
    nibbles |= ((metadata[first + 4u * j] >> shift) & 15u) << (4u * j);
  }
  return nibbles;
}
