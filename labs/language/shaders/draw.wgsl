// language/draw: samples the next token of a small vocabulary, as language/choose does, and starts its stream, in one dispatch:
// in a small model a dispatch takes longer to start than to compute.
// Lanes: any power of two.
// Dispatch: x = 1.  Needs: subgroups, or nothing with its other choice.  Workgroup memory: 12 B per lane.
// Provides: state, ids, stream, normed, norm_weights, embedding, candidate.

// include language/choosing.wgsl: Candidate, best_of, write_next, noise_at
// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE, workgroup_total
// include language/normalise.wgsl: HIDDEN, EPS, normalise
// include language/begin.wgsl: next_value

// Whether logits are still to be divided by the root mean square of the stream.
override UNSCALED: u32 = 0u;

// state[0]: the position of the token just fed. state[1]: the length of the prompt, whose ids are given. state[2]: the seed.
@group(0) @binding(0) var<storage, read_write> state: array<u32>;
// The id of the token at every position.
@group(0) @binding(1) var<storage, read_write> ids: array<u32>;
// Scores of the next token, one per id; afterwards they are scaled.
@group(0) @binding(2) var<storage, read_write> logits: array<f32>;
// The table of Gumbel noise, as in language/choose.
@group(0) @binding(3) var<storage, read> noise: array<f32>;
// The stream, the values that pass from layer to layer, read and replaced.
@group(0) @binding(4) var<storage, read_write> stream: array<f32>;
// The normalised stream.
@group(0) @binding(5) var<storage, read_write> normed: array<f32>;
// Factors of the normalised stream, one per column.
@group(0) @binding(6) var<storage, read> norm_weights: array<f32>;
// The embedding: one row per id.
@group(0) @binding(7) var<storage, read> embedding: array<u32>;

var<private> scale: f32;

fn candidate(id: u32) -> Candidate {
  var logit = logits[id];
  if (UNSCALED != 0u) {
    logit *= scale;
    logits[id] = logit;
  }
  return Candidate(logit + noise[noise_at(id)], id);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_index: u32) {
  if (UNSCALED != 0u) {
    var squares = 0.0;
    for (var column = local_index; column < HIDDEN; column += WORKGROUP_SIZE) {
      squares += stream[column] * stream[column];
    }
    scale = inverseSqrt(workgroup_total(squares, local_index) / f32(HIDDEN) + EPS);
  }
  let best = best_of(local_index, WORKGROUP_SIZE, local_index);
  if (local_index == 0u) {
    write_next(best);
  }
  // All lanes read the position and the id that one lane has written.
  storageBarrier();
  normalise(0u, local_index);
}
