// hybrid/convert_tail: the tail of a hybrid out of rows in full or of TwELL, a lane for two cells.
// Source: TwELL paper, listing 4. Differs: a pass of its own, so that no two lanes write into a word.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(cells / 2 / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.
// Gives: tail_rows.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/layout_sizes.wgsl: params
// include hybrid/tail_cells.wgsl: tail_cell

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

// Row of each tail row, or all ones for a free one; read alone, but it shares its buffer with what is written.
@group(0) @binding(2) var<storage, read_write> tail_rows: array<u32>;
// Two cells each, the first in the lower half.
@group(0) @binding(3) var<storage, read_write> tail_out: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let word = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (2u * word < params.tail_capacity * params.cols_out) {
    tail_out[word] = tail_cell(2u * word) | (tail_cell(2u * word + 1u) << 16u);
  }
}
