// chain/convert: activations in two bytes, two in a word, for kernels that read them so.
// Lanes: any; each has one word.
// Dispatch: x = ceil(WORDS / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Words of the output.
override WORDS: u32 = 1u;
// Numbers of the input.
override NUMBERS: u32 = 1u;

// The numbers.
@group(0) @binding(0) var<storage, read> source: array<f32>;
// Two in a word, the first in the lower half.
@group(0) @binding(1) var<storage, read_write> packed: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let word = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (word >= WORDS) {
    return;
  }
  let second = 2u * word + 1u;
  packed[word] = packed_pair(source[2u * word], select(0.0, source[min(second, NUMBERS - 1u)], second < NUMBERS));
}

// variant f16: f16; beyond its range, the largest.

fn packed_pair(a: f32, b: f32) -> u32 {
  return pack2x16float(clamp(vec2(a, b), vec2(-65504.0), vec2(65504.0)));
}

// variant bf16: bf16.

// include common/bf16_bits.wgsl: bf16_bits

fn packed_pair(a: f32, b: f32) -> u32 {
  return bf16_bits(a) | (bf16_bits(b) << 16u);
}
