// slidesparse/lift: activations of a token, laid out window by window.

// variant fused: activations as signed bytes with one scale per row, and each window's four of them in one word.
// Source: SlideSparse paper, algorithm 1. Differs: one scale for both directions; every activation is quantised once and
// lifted from workgroup memory; exact integers on every device.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB and 1 B per column.
// Provides: keep_word.

// include common/quantised_row.wgsl: params, y, WORDS, WORKGROUP_SIZE, quantise_row
// include common/workgroup_index.wgsl: workgroup_index

// N - 1 windows to a group of 2 N columns.
override WINDOWS_PER_GROUP: u32 = 3u;

// The quantised row, before it is lifted.
var<workgroup> row: array<u32, WORDS>;

fn keep_word(token: u32, word: u32, bytes: u32) {
  if (word < WORDS) { row[word] = bytes; }
}

// Word i of the quantised row, 0 past its end.
fn bytes_at(i: u32) -> u32 {
  return select(0u, row[min(i, WORDS - 1u)], i < WORDS);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let token = workgroup_index(workgroup_id, num_workgroups);
  if (token >= params.tokens) {
    return;
  }
  quantise_row(token, local_index);
  workgroupBarrier();
  for (var window = local_index; window < params.words; window += WORKGROUP_SIZE) {
    // Counted in pairs of columns: a group has N pairs, and each window begins one pair after the one before. An odd pair
    // begins in the middle of a word.
    let pair = window + window / WINDOWS_PER_GROUP;
    let low = bytes_at(pair >> 1u);
    let high = bytes_at((pair >> 1u) + 1u);
    y[token * params.words + window] = select(low, (low >> 16u) | (high << 16u), (pair & 1u) == 1u);
  }
}

// variant apart: the second of two passes: copies each window's four bytes from a quantised row in memory to one word.
// Source: SlideSparse paper, section 4: the two passes that algorithm 1 replaces. Differs: a lane per word.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(tokens * words / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index

struct Params {
  tokens: u32,
  cols: u32,
  words: u32, // stored words of a lifted row
  packed: u32, // words of a row before it is lifted
}

@group(0) @binding(0) var<uniform> params: Params;
// The words of every row, four bytes each, the lowest first; after them the bits of every row's scale.
@group(0) @binding(1) var<storage, read> quantised: array<u32>;
// A word for every window of every row; after them the scales.
@group(0) @binding(2) var<storage, read_write> y: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 256u;
// N - 1 windows to a group of 2 N columns.
override WINDOWS_PER_GROUP: u32 = 3u;

// Word i of a token's row, 0 past its end.
fn bytes_at(token: u32, i: u32) -> u32 {
  return select(0u, quantised[token * params.packed + min(i, params.packed - 1u)], i < params.packed);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let at = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  // A row without columns has no windows, but a scale.
  if (at < params.tokens) {
    y[params.tokens * params.words + at] = quantised[params.tokens * params.packed + at];
  }
  if (at >= params.tokens * params.words) {
    return;
  }
  let token = at / params.words;
  let window = at % params.words;
  // Counted in pairs of columns, as in the fused variant.
  let pair = window + window / WINDOWS_PER_GROUP;
  let low = bytes_at(token, pair >> 1u);
  let high = bytes_at(token, (pair >> 1u) + 1u);
  y[at] = select(low, (low >> 16u) | (high << 16u), (pair & 1u) == 1u);
}
