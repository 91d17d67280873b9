// twell/packed_entries: entries of packed TwELL, slot by slot.
// Provides: Entry, overflows_at, entry_at.

// include twell/token_sizes.wgsl: params

// Tile rows one after the other: the count, then bf16 bits above a column of 16 bits.
@group(0) @binding(3) var<storage, read> words: array<u32>;

struct Entry {
  is_used: bool,
  column: u32,
  value: f32,
}

// Whether a slot contains the count of a tile row that had more non-zeros than slots: the rest was lost.
fn overflows_at(token: u32, place: u32) -> bool {
  return place % params.slots == 0u && words[token * params.tiles * params.slots + place] >= params.slots;
}

// The entry in a slot of a token, tile row by tile row.
fn entry_at(token: u32, place: u32) -> Entry {
  let first = token * params.tiles * params.slots;
  let slot = place % params.slots;
  let count = words[first + place - slot];
  let word = words[first + place]; // in flight together with the count
  if (slot - 1u >= count) { // wraps around for the count itself
    return Entry();
  }
  // step: entry
  return Entry(true, word & 0xffffu, bitcast<f32>(word & 0xffff0000u));
}
