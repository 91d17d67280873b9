// language/choose: the next token: the id with the largest score, of equal ones the lowest. It is written behind the last token
// unless one is given there, and the sequence moves on by one.
// Lanes: any power of two.
// Dispatch: x = 1, or without IS_LAST as many as the parts that a second dispatch chooses from.
// Needs: nothing.  Workgroup memory: 8 B per lane.

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;
// Candidates of all workgroups.
override COUNT: u32 = 1u;
// Positions of a sequence.
override CONTEXT: u32 = 1u;

// The position of the token that was fed; the position before which ids are given; the seed.
@group(0) @binding(0) var<storage, read_write> state: array<u32>;
// The id of the token at every position.
@group(0) @binding(1) var<storage, read_write> ids: array<u32>;

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

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first = group.x * WORKGROUP_SIZE + local_index;
  // No score is less, and no id is larger.
  var best = Candidate(-3.4e38, 0xffffffffu);
  for (var i = first; i < COUNT; i += groups.x * WORKGROUP_SIZE) {
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
  if (local_index == 0u) {
    leave(group.x, candidates[0]);
  }
}

// variant whole or parts_last: the token is chosen.

fn leave(_group: u32, best: Candidate) {
  let next = state[0] + 1u;
  if (next >= state[1] && next < CONTEXT) {
    // Logits that are no numbers leave no candidate.
    ids[next] = select(best.id, 0u, best.id == 0xffffffffu);
  }
  state[0] = next;
}

// variant parts: the best candidate of a workgroup is kept for a second dispatch.

// Score as f32 and id of every workgroup's best.
@group(0) @binding(4) var<storage, read_write> bests: array<vec2<u32>>;

fn leave(group: u32, best: Candidate) {
  bests[group] = vec2(bitcast<u32>(best.score), best.id);
}

// variant parts_last: candidates are the best of workgroups.

// Score as f32 and id.
@group(0) @binding(2) var<storage, read> bests: array<vec2<u32>>;

fn candidate(i: u32) -> Candidate {
  return Candidate(bitcast<f32>(bests[i].x), bests[i].y);
}

// variant whole or parts: candidates are all ids, by their logits.

// One per id.
@group(0) @binding(2) var<storage, read> logits: array<f32>;
// 65536 addends, which differ by seed, position and id: src/labs/language/decoders/sampling.ts has the same.
@group(0) @binding(3) var<storage, read> noise: array<f32>;

// A one-to-one mapping in which every bit changes about half of the bits. Source: Wellons 2018, lowbias32.
fn mixed(bits: u32) -> u32 {
  var h = (bits ^ (bits >> 16u)) * 0x7feb352du;
  h = (h ^ (h >> 15u)) * 0x846ca68bu;
  return h ^ (h >> 16u);
}

fn candidate(id: u32) -> Candidate {
  let h = mixed(mixed(mixed(state[2] ^ 0x9e3779b9u) ^ (state[0] + 1u)) ^ id);
  let zeros = min(countLeadingZeros(h), 31u);
  return Candidate(logits[id] + noise[(zeros << 11u) | (((h << zeros) << 1u) >> 21u)], id);
}
