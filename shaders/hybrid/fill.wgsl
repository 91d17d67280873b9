// hybrid/fill: writes the slots or the tail of a hybrid that has the pattern of another hybrid h and the values of a dense
// matrix; two elements per lane.
// Source: TwELL paper, listing 5. Differs: the values come from a complete dense matrix, where the listing computes each of
// them as a product; long rows are filled as well; an element of h that is 0, recognised by its bits, stays 0.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(elements / 2 / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/bf16_bits.wgsl: bf16_of
// include common/workgroup_index.wgsl: workgroup_index

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

// Elements of h, two bf16 per word, the first in the lower half; 0 past the last.
@group(0) @binding(1) var<storage, read> held: array<u32>;
// The dense matrix: the bits of an f32 for every cell, one row after the other.
@group(0) @binding(3) var<storage, read> full: array<u32>;
// The output, in the layout of `held`.
@group(0) @binding(4) var<storage, read_write> filled: array<u32>;

// The bits of the new bf16 for an element of h with these bits.
fn fill_element(bits: u32, element: u32) -> u32 {
  if ((bits & 0x7fffu) == 0u) {
    return 0u;
  }
  return bf16_of(full[cell_of(element)]);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let word = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (2u * word < elements()) {
    let pair = held[word];
    filled[word] = fill_element(pair & 0xffffu, 2u * word) | (fill_element(pair >> 16u, 2u * word + 1u) << 16u);
  }
}

// variant slots: fills the slots.

// include hybrid/sizes.wgsl#layout: params
// include common/indices.wgsl#16: index_at

fn elements() -> u32 {
  return params.rows * params.slots;
}

fn cell_of(slot: u32) -> u32 {
  return slot / params.slots * params.cols + index_at(slot);
}

// variant tail: fills the cells of the tail.

// include hybrid/sizes.wgsl#layout: params

// Row of each tail row, or all ones for a free one.
@group(0) @binding(2) var<storage, read> tail_rows: array<u32>;

fn elements() -> u32 {
  return params.tail_capacity * params.cols;
}

// For rows that are in use.
fn cell_of(cell: u32) -> u32 {
  return tail_rows[cell / params.cols] * params.cols + cell % params.cols;
}
