// common/quantised_row: one row of activations as signed bytes.
// Provides: params, y, WORDS, WORKGROUP_SIZE, quantise_row.  Requires: keep_word.  Workgroup memory: 4 B per lane.

// include common/tokens.wgsl#fours or #ones: load_four

struct Params {
  tokens: u32,
  cols: u32,
  words: u32, // stored words of a row
}

@group(0) @binding(0) var<uniform> params: Params;

// The words of every row, four bytes each, the lowest first; after them the bits of every row's scale.
@group(0) @binding(2) var<storage, read_write> y: array<u32>;

// Lanes per workgroup, a multiple of SHARES.
override WORKGROUP_SIZE: u32 = 256u;
// At least the words of a row before quantisation, ceil(cols / 4).
override WORDS: u32 = 1u;

// The floor of the absmax that a scale follows from: 2^-100.
const MIN_ABSMAX = 0x1p-100f;
// 1 / 127, rounded to f32. A product is rounded alike on every device, a quotient is not.
const STEP_SHARE = 0x1.020408p-7f;

// Parts of a workgroup's lanes; each part finds its absmax (largest magnitude) first.
const SHARES = 16u;

var<workgroup> peaks: array<f32, WORKGROUP_SIZE>;

// 1 / scale, rounded to nearest: the division of WGSL may be off by two or three units, which the rest of the dividend
// shows. In 32 bits the dividend, 2^47, is 0.
fn inverse_of(scale: f32) -> f32 {
  let bits = bitcast<u32>(scale);
  let exponent = bits >> 23u;
  let fraction = bitcast<i32>((bits & 0x7fffffu) | 0x800000u);
  if (fraction == 0x800000) {
    return bitcast<f32>((254u - exponent) << 23u);
  }
  var quotient = i32(0x1p47f / f32(fraction));
  var rest = -(quotient * fraction);
  for (var i = 0u; i < 4u; i++) {
    let step = select(0, 1, rest >= fraction) - select(0, 1, rest < 0);
    quotient += step;
    rest -= step * fraction;
  }
  // There are no ties: twice the rest is even, an odd fraction of the quotient cannot divide a power of two.
  quotient += select(0, 1, 2 * rest > fraction);
  return bitcast<f32>(((253u - exponent) << 23u) | (bitcast<u32>(quotient) & 0x7fffffu));
}

// Passes the words of the row to keep_word, 0 past its end, and stores its scale; called by all lanes of the workgroup.
fn quantise_row(token: u32, local_index: u32) {
  // Iterations counted one by one and reads without branches, so that all of a lane's are in flight together: past the end, the
  // last four again.
  let last = max((params.cols + 3u) / 4u, 1u) - 1u;
  var peak = 0.0;
  for (var turn = 0u; turn < (WORDS + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE; turn++) {
    let four = abs(load_four(token, min(turn * WORKGROUP_SIZE + local_index, last)));
    peak = max(peak, max(max(four.x, four.y), max(four.z, four.w)));
  }
  peaks[local_index] = peak;
  workgroupBarrier();
  // A reduction in two steps, with few barriers: some lanes take the absmax of a part each, then all lanes of these parts.
  if (local_index < SHARES) {
    var largest = peak;
    for (var i = 1u; i < WORKGROUP_SIZE / SHARES; i++) { largest = max(largest, peaks[i * SHARES + local_index]); }
    peaks[local_index] = largest;
  }
  workgroupBarrier();
  for (var i = 0u; i < SHARES; i++) { peak = max(peak, peaks[i]); }
  let scale = max(peak, MIN_ABSMAX) * STEP_SHARE;
  let inverse = inverse_of(scale);
  for (var turn = 0u; turn < (WORDS + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE; turn++) {
    let word = turn * WORKGROUP_SIZE + local_index;
    // `round` rounds halves to even.
    let four = clamp(round(load_four(token, min(word, last)) * inverse), vec4(-127.0), vec4(127.0));
    keep_word(token, word, select(0u, pack4xI8(vec4<i32>(four)), 4u * word < params.cols));
  }
  if (local_index == 0u) {
    y[params.tokens * params.words + token] = bitcast<u32>(scale);
  }
}
