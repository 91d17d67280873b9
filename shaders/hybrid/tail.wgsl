// hybrid/tail: writes the tail of a hybrid matrix (its rows that are too full for slots, stored dense), two cells per lane.
// Source: TwELL paper, listing 4, and listing 7 where it is transposed. Differs: a separate pass, so that no two lanes
// write into a word.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(tail_capacity * cols_out / 2 / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/sizes.wgsl#layout: params
// include hybrid/source.wgsl#full or #full_bf16 or #transposed or #twell: source_cell

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

// A cell as the bits of a bf16: 0 in rows that are free, and past the last.
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

// variant convert: from dense rows or TwELL.

// Row of each tail row, or all ones for a free one; only read, but in the buffer of an output.
@group(0) @binding(2) var<storage, read_write> tail_rows: array<u32>;
// Two cells each, the first in the lower half.
@group(0) @binding(3) var<storage, read_write> tail_out: array<u32>;

// variant transpose: from the hybrid to be transposed.

// Row of each tail row, or all ones for a free one; only read, but in the buffer of an output.
@group(0) @binding(6) var<storage, read_write> tail_rows: array<u32>;
// Two cells each, the first in the lower half.
@group(0) @binding(7) var<storage, read_write> tail_out: array<u32>;
