// macko/deltas_2: stored column gaps of 2 bits, sixteen in a u32, the lowest bits first.
// Gives: LARGEST_TOTAL, Gaps, GapWords, load_gap_words, split_gaps, load_gaps, Prefix, gap_total, gap_prefix.

// include macko/gaps_in_bytes.wgsl: Gaps, Prefix, gap_total, gap_prefix

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 24u;

// The gaps of two groups of eight entries.
@group(0) @binding(2) var<storage, read> deltas: array<u32>;

// What holds the gaps of a group.
alias GapWords = u32;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group >> 1u];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, those of its first `foreign` entries (0 to 7) as 0.
fn split_gaps(words: GapWords, group: u32, foreign: u32) -> Gaps {
  let bits = (words >> (16u * (group & 1u))) & (0xffffu << (2u * foreign)) & 0xffffu;
  let nibbles = (bits | (bits << 8u)) & 0x00ff00ffu;
  let pairs = (nibbles | (nibbles << 4u)) & 0x0f0f0f0fu; // two gaps per byte
  return Gaps(pairs & 0x03030303u, (pairs >> 2u) & 0x03030303u);
}
