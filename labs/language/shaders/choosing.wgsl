// language/choosing: argmax over the candidates, the lowest id among equals, and writes it as the next token.
// Provides: Candidate, best_of, write_next, noise_at.
// Requires: WORKGROUP_SIZE, state, ids, candidate.

// Candidates of all workgroups.
override COUNT: u32 = 1u;
// Positions of a sequence.
override CONTEXT: u32 = 1u;

struct Candidate {
  score: f32,
  id: u32,
}

var<workgroup> candidates: array<Candidate, WORKGROUP_SIZE>;

fn better(a: Candidate, b: Candidate) -> Candidate {
  if (b.score > a.score || (b.score == a.score && b.id < a.id)) {
    return b;
  }
  return a;
}

// The best candidate of a workgroup, each of whose lanes has every `step`-th from `first` on; lane 0 may use it.
fn best_of(first: u32, step: u32, local_index: u32) -> Candidate {
  // No score is less, and no id is larger.
  var best = Candidate(-3.4e38, 0xffffffffu);
  for (var i = first; i < COUNT; i += step) {
    best = better(best, candidate(i));
  }
  candidates[local_index] = best;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      candidates[local_index] = better(candidates[local_index], candidates[local_index + distance]);
    }
    workgroupBarrier();
  }
  return candidates[0];
}

// Writes the token after the last one, unless one is given there, and moves the sequence on by one.
fn write_next(best: Candidate) {
  let next = state[0] + 1u;
  if (next >= state[1] && next < CONTEXT) {
    // Logits that are no numbers leave no candidate.
    ids[next] = select(best.id, 0u, best.id == 0xffffffffu);
  }
  state[0] = next;
}

// A hash: a one-to-one mapping of words in which every bit changes about half of the bits. Source: Wellons 2018, lowbias32.
fn hashed(bits: u32) -> u32 {
  var h = (bits ^ (bits >> 16u)) * 0x7feb352du;
  h = (h ^ (h >> 15u)) * 0x846ca68bu;
  return h ^ (h >> 16u);
}

// Index into the table of Gumbel noise for the logit of token `id`, from a hash of seed, position and id: its number of leading
// zeros, then the bits after its highest 1, so that small hashes, whose noise is large, keep their precision.
fn noise_at(id: u32) -> u32 {
  let h = hashed(hashed(hashed(state[2] ^ 0x9e3779b9u) ^ (state[0] + 1u)) ^ id);
  let zeros = min(countLeadingZeros(h), 31u);
  return (zeros << 11u) | (((h << zeros) << 1u) >> 21u);
}
