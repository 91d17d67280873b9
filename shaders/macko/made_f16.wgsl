// macko/made_f16: entries under way to where values are stored as f16: both parts in one word, so that all of a workgroup
// have room in its memory.
// Gives: VALUES_PER_WORD, keep, kept_gap, kept_value.  Takes: ENTRIES.  Workgroup memory: 4.5 B per entry.

// include common/f16_bits.wgsl: f16_of

const VALUES_PER_WORD = 2u;

// f16 of the value below the gap. Between every eight of them is one that is not used: lanes that read every eighth then
// meet different banks.
var<workgroup> kept: array<u32, ENTRIES / 8u * 9u>;

// `bits` of an f32.
fn keep(place: u32, bits: u32, gap: u32) {
  kept[place + place / 8u] = f16_of(bits) | (gap << 16u);
}

fn kept_gap(place: u32) -> u32 {
  return kept[place + place / 8u] >> 16u;
}

// A word of values.
fn kept_value(word: u32) -> u32 {
  let place = 2u * word + word / 4u;
  return (kept[place] & 0xffffu) | (kept[place + 1u] << 16u);
}
