// hybrid/tail_cells: the tail of a hybrid that is made, a lane for two cells.
// Gives: main.  Takes: tail_rows, tail_out.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/layout_sizes.wgsl: params
// include hybrid/source_full.wgsl or hybrid/source_transposed.wgsl or hybrid/source_twell.wgsl: source_cell

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

// A cell as the bits of a bf16: 0 in rows that are free, and behind the last.
fn tail_cell(cell: u32) -> u32 {
  if (cell >= params.tail_capacity * params.cols_out) {
    return 0u;
  }
  let row = tail_rows[cell / params.cols_out];
  if (row >= params.rows_out) {
    return 0u;
  }
  return source_cell(row, cell % params.cols_out);
}

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
