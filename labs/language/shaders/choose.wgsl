// language/choose: samples the next token, the argmax of logit plus Gumbel noise, in two dispatches: for large vocabularies.
// Lanes: any power of two.
// Dispatch: x = parts of the candidates, then 1 for the best of those.  Needs: nothing.  Workgroup memory: 8 B per lane.

// include language/choosing.wgsl: Candidate, best_of

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;

// state[0]: the position of the token just fed. state[1]: the length of the prompt, whose ids are given. state[2]: the seed.
@group(0) @binding(0) var<storage, read_write> state: array<u32>;
// The id of the token at every position.
@group(0) @binding(1) var<storage, read_write> ids: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let best = best_of(group.x * WORKGROUP_SIZE + local_index, groups.x * WORKGROUP_SIZE, local_index);
  if (local_index == 0u) {
    pass_on(group.x, best);
  }
}

// variant parts: the best candidate of a workgroup is kept for a second dispatch; candidates are all ids, by their logits.
// Provides: WORKGROUP_SIZE, state, ids, candidate.

// include language/choosing.wgsl: noise_at

// One per id.
@group(0) @binding(2) var<storage, read> logits: array<f32>;
// The table of Gumbel noise, 65536 entries: seed, position and id determine which entry is added, as in
// labs/language/decoders/sampling.ts.
@group(0) @binding(3) var<storage, read> noise: array<f32>;
// The best candidate of every workgroup: the bits of its f32 score, and its id.
@group(0) @binding(4) var<storage, read_write> bests: array<vec2<u32>>;

fn pass_on(group: u32, best: Candidate) {
  bests[group] = vec2(bitcast<u32>(best.score), best.id);
}

fn candidate(id: u32) -> Candidate {
  return Candidate(logits[id] + noise[noise_at(id)], id);
}

// variant parts_last: the token is chosen; candidates are the best of workgroups.
// Provides: WORKGROUP_SIZE, state, ids, candidate.

// include language/choosing.wgsl: write_next

// The best candidates of all workgroups: the bits of an f32 score, and an id.
@group(0) @binding(2) var<storage, read> bests: array<vec2<u32>>;

fn pass_on(_group: u32, best: Candidate) {
  write_next(best);
}

fn candidate(i: u32) -> Candidate {
  return Candidate(bitcast<f32>(bests[i].x), bests[i].y);
}
