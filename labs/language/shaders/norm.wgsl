// language/norm: RMSNorm: updates the stream of a token, and copies it with a root mean square of 1, times weights.
// Lanes: any power of two, all on one token.
// Dispatch: x = tokens.  Needs: subgroups, or nothing with its other choice.  Workgroup memory: 4 B per lane.

// include language/normalise.wgsl: HIDDEN, normalise
// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE

// One stream per token, the values that pass from layer to layer, read and replaced.
@group(0) @binding(0) var<storage, read_write> stream: array<f32>;
// The normalised streams.
@group(0) @binding(1) var<storage, read_write> normed: array<f32>;
// Factors of the normalised stream, one per column.
@group(0) @binding(2) var<storage, read> norm_weights: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  normalise(group.x, local_index);
}

// variant sum: the output of a matrix is added.
// Provides: stream, normed, norm_weights, next_value.

// Whether there is a bias.
override BIASED: u32 = 0u;

// For every token one addend per column.
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

// variant embedding: the stream begins with the row of the token in the embedding.
// Provides: stream, normed, norm_weights, state, ids, embedding.

// include language/begin.wgsl: next_value

// The first is the position of token 0.
@group(0) @binding(3) var<storage, read> state: array<u32>;
// The id of the token at every position.
@group(0) @binding(4) var<storage, read> ids: array<u32>;
// One row per id, from FIRST_ROW on.
@group(0) @binding(5) var<storage, read> embedding: array<u32>;
