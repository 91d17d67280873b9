// language/norm: the stream of a token gets its next addend, and is copied with a root mean square of 1, times weights.
// Lanes: any power of two, all on one token.
// Dispatch: x = tokens.  Needs: subgroups, or nothing with its other choice.  Workgroup memory: 4 B per lane.

// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE, workgroup_total

// Columns of the stream.
override HIDDEN: u32 = 1u;
// Added to the mean of squares.
override EPS: f32 = 0.00001;

// One stream per token, read and replaced.
@group(0) @binding(0) var<storage, read_write> stream: array<f32>;
// The normalised streams.
@group(0) @binding(1) var<storage, read_write> normed: array<f32>;
// One per column.
@group(0) @binding(2) var<storage, read> norm_weights: array<f32>;

// Columns of a lane that stay in registers: their loads are all under way at once, and nothing is read twice.
const KEPT = 4u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let token = group.x;
  var kept: array<f32, KEPT>;
  var squares = 0.0;
  for (var i = 0u; i < KEPT; i++) {
    let column = i * WORKGROUP_SIZE + local_index;
    if (column < HIDDEN) {
      kept[i] = next_value(token, column);
      squares += kept[i] * kept[i];
    }
  }
  for (var column = KEPT * WORKGROUP_SIZE + local_index; column < HIDDEN; column += WORKGROUP_SIZE) {
    let value = next_value(token, column);
    stream[token * HIDDEN + column] = value;
    squares += value * value;
  }
  let scale = inverseSqrt(workgroup_total(squares, local_index) / f32(HIDDEN) + EPS);
  for (var i = 0u; i < KEPT; i++) {
    let column = i * WORKGROUP_SIZE + local_index;
    if (column < HIDDEN) {
      let at = token * HIDDEN + column;
      stream[at] = kept[i];
      normed[at] = norm_weights[column] * (kept[i] * scale);
    }
  }
  // Every lane reads what it has written itself.
  for (var column = KEPT * WORKGROUP_SIZE + local_index; column < HIDDEN; column += WORKGROUP_SIZE) {
    let at = token * HIDDEN + column;
    normed[at] = norm_weights[column] * (stream[at] * scale);
  }
}

// variant sum: what a matrix wrote is added.

// Whether there is a bias.
override BIASED: u32 = 0u;

// Of every token one addend per column.
@group(0) @binding(3) var<storage, read> addends: array<f32>;
// One per column; unused without a bias.
@group(0) @binding(4) var<storage, read> biases: array<f32>;

fn next_value(token: u32, column: u32) -> f32 {
  let at = token * HIDDEN + column;
  var addend = addends[at];
  if (BIASED != 0u) {
    addend += biases[column];
  }
  return stream[at] + addend;
}

// variant embedding: the stream begins, with the row of the token in a table.

// Elements from one row of the table to the next.
override STRIDE: u32 = 1u;
// Whether the table holds f16, two in a word, instead of f32.
override HALVES: u32 = 0u;
// The first of the rows that are bound: a table above the limit of a binding takes a dispatch for each of its parts.
override FIRST_ROW: u32 = 0u;
// How many rows are bound.
override ROWS: u32 = 1u;

// The first is the position of token 0.
@group(0) @binding(3) var<storage, read> state: array<u32>;
// The id of the token at every position.
@group(0) @binding(4) var<storage, read> ids: array<u32>;
// One row per id, from FIRST_ROW on.
@group(0) @binding(5) var<storage, read> embedding: array<u32>;

fn next_value(token: u32, column: u32) -> f32 {
  let row = ids[state[0] + token] - FIRST_ROW;
  if (row >= ROWS) {
    // In another part, which leaves its row in the stream: also where this one comes later.
    return stream[token * HIDDEN + column];
  }
  let at = row * STRIDE + column;
  if (HALVES != 0u) {
    return unpack2x16float(embedding[at >> 1u] >> (16u * (at & 1u))).x;
  }
  return bitcast<f32>(embedding[at]);
}
