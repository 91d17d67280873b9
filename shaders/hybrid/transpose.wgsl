// hybrid/transpose: writes the slots of the transposed hybrid matrix: a workgroup per two rows; each lane searches one row.
// Source: TwELL paper, listing 7. Differs: binary search finds the entry of a column, where the listing assigns positions
// by atomics; columns ascend, and a row that is too long leaves its slots empty.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows_out / 2), folded into y above 65535.  Needs: nothing.  Workgroup memory: 8 B per lane and 8 B * MOST_SLOTS.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/sizes.wgsl#layout: params
// include hybrid/pack_rows.wgsl: pack_row, packed_pair

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

// Two slots each, the first in the lower half.
@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;
// The columns of the slots, likewise.
@group(0) @binding(7) var<storage, read_write> indices_out: array<u32>;
// Non-zeros of each row.
@group(0) @binding(8) var<storage, read_write> counts_out: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first_row = 2u * workgroup_index(workgroup_id, num_workgroups);
  if (first_row >= params.rows_out) {
    return;
  }
  var counts = vec2<u32>();
  for (var which = 0u; which < 2u; which++) {
    counts[which] = pack_row(which, first_row + which, local_index).count;
    if (local_index == 0u && first_row + which < params.rows_out) {
      counts_out[first_row + which] = counts[which];
    }
  }
  workgroupBarrier();
  let first_word = first_row / 2u * params.slots_out;
  let words = min(params.slots_out, (params.rows_out * params.slots_out + 1u) / 2u - first_word);
  for (var word = local_index; word < words; word += WORKGROUP_SIZE) {
    let pair = packed_pair(word, counts);
    values_out[first_word + word] = pair.x;
    indices_out[first_word + word] = pair.y;
  }
}
