// hybrid/convert: packs dense rows or TwELL into the slots of a hybrid, and counts statistics of rows; two rows per workgroup.
// Source: TwELL paper, listing 4. Differs: columns ascend and counts are the rows' counts, where the listing limits
// them to the slots of a tile; a row that is too long leaves its slots empty; what TwELL lost is counted.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows_out / 2), folded into y above 65535.  Needs: nothing.  Workgroup memory: 12 B per lane and 8 B * MOST_SLOTS.

// include common/workgroup_sum.wgsl: WORKGROUP_SIZE, workgroup_sum
// include common/workgroup_index.wgsl: workgroup_index
// include hybrid/sizes.wgsl#layout: params
// include hybrid/pack_rows.wgsl: pack_row, packed_pair

// bf16 values of two slots per word, the first in the lower half.
@group(0) @binding(2) var<storage, read_write> values_out: array<u32>;
// The columns of the slots, two per word in the same order.
@group(0) @binding(3) var<storage, read_write> indices_out: array<u32>;
// Non-zeros of each row: its L0.
@group(0) @binding(4) var<storage, read_write> counts_out: array<u32>;
// Statistics of each row.
@group(0) @binding(5) var<storage, read_write> statistics: array<Statistics>;

struct Statistics {
  magnitude: f32, // L1: the sum of the magnitudes
  lost: u32, // tile rows of TwELL with lost non-zeros
}

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
    let row = first_row + which;
    let found = pack_row(which, row, local_index);
    let magnitude = workgroup_sum(found.magnitude, local_index);
    let lost = workgroup_sum(f32(found.lost), local_index);
    counts[which] = found.count;
    if (local_index == 0u && row < params.rows_out) {
      counts_out[row] = found.count;
      statistics[row] = Statistics(magnitude, u32(lost));
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
