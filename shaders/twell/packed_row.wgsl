// twell/packed_row: a lane's part of the sum of a row of packed words, which several lanes share.
// Provides: params, y, row_part.

struct Params {
  rows: u32,
  tiles: u32, // tiles of a row
  slots: u32, // words of a tile row, a power of two
}

@group(0) @binding(0) var<uniform> params: Params;
// Tile rows one after the other: a word with the number of non-zeros, then a word per non-zero, its bf16 bits in the upper
// half and its column in the lower half.
@group(0) @binding(1) var<storage, read> words: array<u32>;
// One per column.
@group(0) @binding(2) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// This lane's part of a row: every `lanes`-th word, unless it is past the count of its tile row.
fn row_part(row: u32, lane: u32, lanes: u32) -> f32 {
  let per_row = params.tiles * params.slots;
  let first = row * per_row;
  var sum = 0.0;
  for (var at = lane; at < per_row; at += lanes) {
    let slot = at & (params.slots - 1u);
    let count = words[first + at - slot];
    if (slot - 1u < count) { // false for slot 0, the count itself: 0 - 1 wraps around
      let word = words[first + at];
      // step: product
      sum += bitcast<f32>(word & 0xffff0000u) * x[word & 0xffffu];
    }
  }
  return sum;
}
