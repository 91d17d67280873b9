// bitmask/spmv_workgroup: y = A x, one workgroup per row; a lane takes eight cells and finds their values by counting bits.
// Source: the bitmap decoding of SpInfer, section 4. Differs: GEMV without tensor cores.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 20 B per lane.

// include common/workgroup_sum.wgsl: WORKGROUP_SIZE, workgroup_sum
// include common/workgroup_index.wgsl: workgroup_index
// include bitmask/row.wgsl: params, mask, row_ptr, y, byte_product
// include common/workgroup_scan.wgsl: workgroup_scan

// The words of a step, one per lane, and the values of the matrix before each.
var<workgroup> words: array<u32, WORKGROUP_SIZE>;
var<workgroup> words_before: array<u32, WORKGROUP_SIZE>;

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
  var before = row_ptr[row];
  var sum = 0.0;
  for (var first = 0u; first < params.words_per_row; first += WORKGROUP_SIZE) {
    // Every lane takes a word, and counts the values before it ...
    var word = 0u;
    if (first + local_index < params.words_per_row) {
      word = mask[row * params.words_per_row + first + local_index];
    }
    let scan = workgroup_scan(countOneBits(word), local_index);
    words[local_index] = word;
    words_before[local_index] = before + scan.before;
    workgroupBarrier();
    // ... and hands both out, so that neighbouring lanes work on neighbouring bytes.
    for (var i = 0u; i < 4u; i++) {
      let byte = i * WORKGROUP_SIZE + local_index;
      let owner = byte / 4u;
      sum += byte_product(words[owner], byte & 3u, words_before[owner], 32u * (first + owner));
    }
    before += scan.total;
    workgroupBarrier(); // the next step writes the words again
  }
  let total = workgroup_sum(sum, local_index);
  if (local_index == 0u) {
    y[row] = total;
  }
}
