// macko/deltas: stored column gaps, eight of a group at a time, the lowest bits first.

// variant 1 or 2 or 4: the eight gaps of a group in the bytes of two u32.
// Provides: gap_total, gap_prefix, Gaps, Prefix.

struct Gaps {
  even: u32, // entries 0, 2, 4, 6, the lowest byte first
  odd: u32, // entries 1, 3, 5, 7
}

struct Prefix {
  low: vec4<u32>, // entries 0 to 3
  high: vec4<u32>, // entries 4 to 7
}

fn gap_total(gaps: Gaps) -> u32 {
  return ((gaps.even + gaps.odd) * 0x01010101u) >> 24u;
}

// Per entry: the gaps of the group up to and with it, plus its position in the group.
fn gap_prefix(gaps: Gaps) -> Prefix {
  // Byte i of the product is the sum of bytes 0 to i: at most 8 * 15, so no byte runs into the next.
  let upto_odd = (gaps.even + gaps.odd) * 0x01010101u;
  let odd = upto_odd + 0x07050301u;
  let even = upto_odd - gaps.odd + 0x06040200u;
  return Prefix(
    vec4(even & 0xffu, odd & 0xffu, (even >> 8u) & 0xffu, (odd >> 8u) & 0xffu),
    vec4((even >> 16u) & 0xffu, (odd >> 16u) & 0xffu, even >> 24u, odd >> 24u),
  );
}

// variant 1: 1 bit, thirty-two in a u32.
// Provides: load_gaps, LARGEST_TOTAL, GapWords, load_gap_words, split_gaps.

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 8u;

// The gaps of four groups of eight entries.
@group(0) @binding(2) var<storage, read> deltas: array<u32>;

// The words of a group's gaps, as loaded.
alias GapWords = u32;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group >> 2u];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, with 0 for its first `foreign` entries (0 to 7).
fn split_gaps(words: GapWords, group: u32, foreign: u32) -> Gaps {
  let bits = (words >> (8u * (group & 3u))) & (0xffu << foreign) & 0xffu;
  let nibbles = (bits | (bits << 12u)) & 0x000f000fu;
  let pairs = (nibbles | (nibbles << 6u)) & 0x03030303u; // two gaps per byte
  return Gaps(pairs & 0x01010101u, (pairs >> 1u) & 0x01010101u);
}

// variant 2: 2 bits, sixteen in a u32.
// Provides: load_gaps, LARGEST_TOTAL, GapWords, load_gap_words, split_gaps.

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 24u;

// The gaps of two groups of eight entries.
@group(0) @binding(2) var<storage, read> deltas: array<u32>;

// The words of a group's gaps, as loaded.
alias GapWords = u32;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group >> 1u];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, with 0 for its first `foreign` entries (0 to 7).
fn split_gaps(words: GapWords, group: u32, foreign: u32) -> Gaps {
  let bits = (words >> (16u * (group & 1u))) & (0xffffu << (2u * foreign)) & 0xffffu;
  let nibbles = (bits | (bits << 8u)) & 0x00ff00ffu;
  let pairs = (nibbles | (nibbles << 4u)) & 0x0f0f0f0fu; // two gaps per byte
  return Gaps(pairs & 0x03030303u, (pairs >> 2u) & 0x03030303u);
}

// variant 4: 4 bits, eight in a u32.
// Provides: load_gaps, LARGEST_TOTAL, GapWords, load_gap_words, split_gaps.

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 120u;

// The gaps of a group of eight entries.
@group(0) @binding(2) var<storage, read> deltas: array<u32>;

// The words of a group's gaps, as loaded.
alias GapWords = u32;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, with 0 for its first `foreign` entries (0 to 7).
fn split_gaps(words: GapWords, _group: u32, foreign: u32) -> Gaps {
  let word = words & (0xffffffffu << (4u * foreign));
  return Gaps(word & 0x0f0f0f0fu, (word >> 4u) & 0x0f0f0f0fu);
}

// variant 8: 8 bits, four in a u32.
// Provides: load_gaps, gap_total, gap_prefix, LARGEST_TOTAL, Gaps, GapWords, load_gap_words, split_gaps, Prefix.

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 2040u;

// The gaps of a group of eight entries: of the first four, and of the others. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> deltas: array<vec2<u32>>;

// Bytes as stored: dot products add them up.
alias Gaps = vec2<u32>;

struct Prefix {
  low: vec4<u32>, // entries 0 to 3
  high: vec4<u32>, // entries 4 to 7
}

// The words of a group's gaps, as loaded.
alias GapWords = vec2<u32>;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, with 0 for its first `foreign` entries (0 to 7).
fn split_gaps(words: GapWords, _group: u32, foreign: u32) -> Gaps {
  return vec2(
    select(words.x & (0xffffffffu << (8u * (foreign & 3u))), 0u, foreign >= 4u),
    words.y & select(0xffffffffu, 0xffffffffu << (8u * (foreign & 3u)), foreign >= 4u),
  );
}

fn gap_total(gaps: Gaps) -> u32 {
  return dot4U8Packed(gaps.x, 0x01010101u) + dot4U8Packed(gaps.y, 0x01010101u);
}

// Per entry: the gaps of the group up to and with it, plus its position in the group.
fn gap_prefix(gaps: Gaps) -> Prefix {
  let four = dot4U8Packed(gaps.x, 0x01010101u);
  return Prefix(
    vec4(gaps.x & 0xffu, dot4U8Packed(gaps.x, 0x00000101u) + 1u, dot4U8Packed(gaps.x, 0x00010101u) + 2u, four + 3u),
    vec4(
      four + (gaps.y & 0xffu) + 4u,
      four + dot4U8Packed(gaps.y, 0x00000101u) + 5u,
      four + dot4U8Packed(gaps.y, 0x00010101u) + 6u,
      four + dot4U8Packed(gaps.y, 0x01010101u) + 7u,
    ),
  );
}
