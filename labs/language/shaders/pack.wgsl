// language/pack: converts the residual stream of many tokens, after its normalisation, to bf16, which feed-forward kernels
// of formats read.
// Lanes: any; each converts four numbers.
// Dispatch: x = ceil(FOURS / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index
// include common/bf16_bits.wgsl: bf16_pairs

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Groups of four numbers, in all tokens together.
override FOURS: u32 = 1u;

// The residual stream after its normalisation, one token after the other.
@group(0) @binding(0) var<storage, read> normed: array<vec4<f32>>;
// Two bf16 in a word, the first in the lower half.
@group(0) @binding(1) var<storage, read_write> packed: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let group = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (group < FOURS) {
    packed[group] = bf16_pairs(normed[group]);
  }
}
