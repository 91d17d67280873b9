// macko/deltas_8: stored column gaps of 8 bits, four in a u32, the lowest bits first.
// Gives: LARGEST_TOTAL, Gaps, Prefix, GapWords, load_gap_words, split_gaps, load_gaps, gap_total, gap_prefix.

// The sum of eight gaps is at most this.
const LARGEST_TOTAL = 2040u;

// The gaps of a group of eight entries: of the first four, and of the others. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> deltas: array<vec2<u32>>;

// Bytes as they are stored: dot products add them up.
alias Gaps = vec2<u32>;

struct Prefix {
  low: vec4<u32>, // entries 0 to 3
  high: vec4<u32>, // entries 4 to 7
}

// What holds the gaps of a group.
alias GapWords = vec2<u32>;

fn load_gap_words(group: u32) -> GapWords {
  return deltas[group];
}

fn load_gaps(group: u32, foreign: u32) -> Gaps {
  return split_gaps(load_gap_words(group), group, foreign);
}

// The gaps of a group, those of its first `foreign` entries (0 to 7) as 0.
fn split_gaps(words: GapWords, _group: u32, foreign: u32) -> Gaps {
  return vec2(
    select(words.x & (0xffffffffu << (8u * (foreign & 3u))), 0u, foreign >= 4u),
    words.y & select(0xffffffffu, 0xffffffffu << (8u * (foreign & 3u)), foreign >= 4u),
  );
}

fn gap_total(gaps: Gaps) -> u32 {
  return dot4U8Packed(gaps.x, 0x01010101u) + dot4U8Packed(gaps.y, 0x01010101u);
}

// Per entry: the gaps of the group up to and with it, plus its place in the group.
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
