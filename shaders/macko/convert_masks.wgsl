// macko/convert_masks: where a dense matrix is not 0, a bit per cell: a lane for 32 columns, which reads for its neighbours
// too, so that neighbouring lanes read neighbouring cells.
// Source: MACKO paper, section 3. Differs: on the device, in passes, where the authors encode on the CPU.
// Lanes: a multiple of 32; subgroups are not used.
// Dispatch: x = ceil(rows * words / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 32 B per lane, and 128 B.

// include common/workgroup_index.wgsl: workgroup_index
// include macko/convert_sizes.wgsl: params
// include macko/cells.wgsl#fours or #ones: find_four

// Bit i of word w of a row: column 32 w + i is not 0. One row after the other.
@group(0) @binding(2) var<storage, read_write> masks: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

// Of 4 columns each, in a word.
const FOURS = 8u;

// Every eighth of a word is in a separate line, 4 banks apart from the next: lanes that write neighbouring fours, and
// lanes that read neighbouring words, meet different banks.
var<workgroup> fours: array<u32, FOURS * (WORKGROUP_SIZE + 4u)>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE;
  for (var turn = 0u; turn < FOURS; turn++) {
    let four = turn * WORKGROUP_SIZE + local_index;
    let word = first + four / FOURS;
    let found = find_four(word / params.words, word % params.words * FOURS + four % FOURS);
    fours[four % FOURS * (WORKGROUP_SIZE + 4u) + four / FOURS] = found;
  }
  workgroupBarrier();
  if (first + local_index >= params.rows * params.words) {
    return;
  }
  var mask = 0u;
  for (var i = 0u; i < FOURS; i++) {
    mask |= fours[i * (WORKGROUP_SIZE + 4u) + local_index] << (4u * i);
  }
  masks[first + local_index] = mask;
}
