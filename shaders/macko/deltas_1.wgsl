// macko/deltas_1: stored column gaps of 1 bit, thirty-two in a u32, the lowest bit first.
// Gives: LARGEST_TOTAL, Gaps, GapWords, load_gap_words, split_gaps, load_gaps, Prefix, gap_total, gap_prefix.

// include macko/gaps_in_bytes.wgsl: Gaps, Prefix, gap_total, gap_prefix

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 8u;

// The gaps of four groups of eight entries.
@group(0) @binding(2) var<storage, read> deltas: array<u32>;

// What holds the gaps of a group.
alias GapWords = u32;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group >> 2u];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, those of its first `foreign` entries (0 to 7) as 0.
fn split_gaps(words: GapWords, group: u32, foreign: u32) -> Gaps {
  let bits = (words >> (8u * (group & 3u))) & (0xffu << foreign) & 0xffu;
  let nibbles = (bits | (bits << 12u)) & 0x000f000fu;
  let pairs = (nibbles | (nibbles << 6u)) & 0x03030303u; // two gaps per byte
  return Gaps(pairs & 0x01010101u, (pairs >> 1u) & 0x01010101u);
}
