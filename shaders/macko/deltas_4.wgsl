// macko/deltas_4: stored column gaps of 4 bits, eight in a u32, the lowest bits first.
// Gives: LARGEST_TOTAL, Gaps, GapWords, load_gap_words, split_gaps, load_gaps, Prefix, gap_total, gap_prefix.

// include macko/gaps_in_bytes.wgsl: Gaps, Prefix, gap_total, gap_prefix

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 120u;

// The gaps of a group of eight entries.
@group(0) @binding(2) var<storage, read> deltas: array<u32>;

// What holds the gaps of a group.
alias GapWords = u32;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, those of its first `foreign` entries (0 to 7) as 0.
fn split_gaps(words: GapWords, _group: u32, foreign: u32) -> Gaps {
  let word = words & (0xffffffffu << (4u * foreign));
  return Gaps(word & 0x0f0f0f0fu, (word >> 4u) & 0x0f0f0f0fu);
}
