// hybrid/unpack: writes a hybrid matrix as dense rows, a workgroup per row: zeros and then the values of its slots, or a
// copy of its dense row in the tail.
// Source: TwELL paper, listing 6. Differs: it only writes the cells, and multiplies with nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/sizes.wgsl#layout: params
// include hybrid/pattern.wgsl: places_of, column_at
// include hybrid/factors.wgsl#stored: value_bits

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

// The bits of an f32 for every cell, one row after the other.
@group(0) @binding(6) var<storage, read_write> cells: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups);
  if (row >= params.rows) {
    return;
  }
  let places = places_of(row);
  if (!places.in_tail) {
    for (var column = local_index; column < params.cols; column += WORKGROUP_SIZE) {
      cells[row * params.cols + column] = 0u;
    }
    storageBarrier();
  }
  for (var i = local_index; i < places.count; i += WORKGROUP_SIZE) {
    cells[row * params.cols + column_at(places, i)] = value_bits(places.first + i);
  }
}
