// macko/made_f32: entries under way to where values are stored as f32.
// Gives: VALUES_PER_WORD, keep, kept_gap, kept_value.  Takes: ENTRIES.  Workgroup memory: 8.5 B per entry.

const VALUES_PER_WORD = 1u;

var<workgroup> kept_values: array<u32, ENTRIES>;
// Between every eight of them is one that is not used: lanes that read every eighth then meet different banks.
var<workgroup> kept_gaps: array<u32, ENTRIES / 8u * 9u>;

fn keep(place: u32, bits: u32, gap: u32) {
  kept_values[place] = bits;
  kept_gaps[place + place / 8u] = gap;
}

fn kept_gap(place: u32) -> u32 {
  return kept_gaps[place + place / 8u];
}

// A word of values.
fn kept_value(word: u32) -> u32 {
  return kept_values[word];
}
