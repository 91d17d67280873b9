// bitmask/spmv_subgroup: y = A x, one subgroup per row; a lane takes eight cells and finds their values by counting bits.
// Source: the bitmap decoding of SpInfer, section 4. Differs: GEMV without tensor cores.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.
enable subgroups;
// The lanes of a subgroup leave and loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include bitmask/row.wgsl: params, mask, row_ptr, y, byte_product
// include common/subgroup_scan.wgsl: inclusive_scan

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / lanes) + local_index / lanes;
  if (row >= params.rows) {
    return;
  }
  var before = row_ptr[row];
  var sum = 0.0;
  for (var first = 0u; first < params.words_per_row; first += lanes) {
    // Every lane takes a word, and counts the values before it ...
    var word = 0u;
    if (first + lane < params.words_per_row) {
      // step: word
      word = mask[row * params.words_per_row + first + lane];
    }
    let count = countOneBits(word);
    let scan = inclusive_scan(count, lane);
    let word_before = before + scan - count;
    // ... and hands both out, so that neighbouring lanes work on neighbouring bytes.
    for (var i = 0u; i < 4u; i++) {
      let byte = i * lanes + lane;
      let owner = byte / 4u;
      let its_word = subgroupShuffle(word, owner);
      let its_before = subgroupShuffle(word_before, owner);
      sum += byte_product(its_word, byte & 3u, its_before, 32u * (first + owner));
    }
    before += subgroupShuffle(scan, lanes - 1u);
  }
  let total = subgroupAdd(sum);
  if (lane == 0u) {
    // step: sum
    y[row] = total;
  }
}
