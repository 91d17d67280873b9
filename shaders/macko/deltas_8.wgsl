// macko/deltas_8: stored column gaps of 8 bits, four in a u32, the lowest bits first.
// Gives: LARGEST_TOTAL, Gaps, Prefix, GapWords, load_gap_words, split_gaps, load_gaps, gap_total, gap_prefix.

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 2040u;

// Half of the gaps of a group of eight entries.
@group(0) @binding(2) var<storage, read> deltas: array<u32>;

// Sums of eight bytes need 16 bits: each u32 holds two gaps.
struct Gaps {
  even: vec2<u32>, // entries 0, 2 and 4, 6, the lower half first
  odd: vec2<u32>, // entries 1, 3 and 5, 7
}

struct Prefix {
  low: vec4<u32>, // entries 0 to 3
  high: vec4<u32>, // entries 4 to 7
}

// What holds the gaps of a group.
alias GapWords = vec2<u32>;

fn load_gap_words(group: u32) -> GapWords {
  return vec2(deltas[2u * group], deltas[2u * group + 1u]);
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, those of its first `foreign` entries (0 to 7) as 0.
fn split_gaps(words: GapWords, _group: u32, foreign: u32) -> Gaps {
  let kept = vec2(
    select(words.x & (0xffffffffu << (8u * (foreign & 3u))), 0u, foreign >= 4u),
    words.y & select(0xffffffffu, 0xffffffffu << (8u * (foreign & 3u)), foreign >= 4u),
  );
  return Gaps(kept & vec2(0x00ff00ffu), (kept >> vec2(8u)) & vec2(0x00ff00ffu));
}

fn gap_total(gaps: Gaps) -> u32 {
  let sums = gaps.even + gaps.odd;
  return ((sums.x + sums.y) * 0x00010001u) >> 16u;
}

// Per entry: the gaps of the group up to and with it, plus its place in the group.
fn gap_prefix(gaps: Gaps) -> Prefix {
  // The upper half of each product is the sum of both halves: at most 8 * 255, so the lower does not run into it.
  var upto_odd = (gaps.even + gaps.odd) * vec2(0x00010001u);
  upto_odd.y += (upto_odd.x >> 16u) * 0x00010001u;
  let odd = upto_odd + vec2(0x00030001u, 0x00070005u);
  let even = upto_odd - gaps.odd + vec2(0x00020000u, 0x00060004u);
  return Prefix(
    vec4(even.x & 0xffffu, odd.x & 0xffffu, even.x >> 16u, odd.x >> 16u),
    vec4(even.y & 0xffffu, odd.y & 0xffffu, even.y >> 16u, odd.y >> 16u),
  );
}
