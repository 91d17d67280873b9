// bsr/spmv: y = A x, one workgroup per block row; each lane multiplies one line (row) of a block at a time.
// Source: ours; the layout is SciPy's bsr_array. Differs: edges of shapes that blocks do not divide are filled with zeros.

// variant subgroup: summed by subgroups first.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / BLOCK), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 4 B per lane.
enable subgroups;
// Control flow is uniform, since the lanes of a workgroup share a block row, but the analysis of WGSL cannot prove it.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include bsr/matrix.wgsl: params, BLOCK, WORKGROUP_SIZE
// include bsr/vector_line.wgsl: lane_part, store_row

var<workgroup> addends: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let block_row = workgroup_index(workgroup_id, num_workgroups);
  if (block_row * BLOCK >= params.rows) {
    return;
  }
  var sum = lane_part(block_row, local_index);
  // Lanes of the same line are BLOCK apart: a butterfly sum over them.
  for (var distance = BLOCK; distance < lanes; distance <<= 1u) {
    sum += subgroupShuffleXor(sum, distance);
  }
  addends[local_index] = sum;
  workgroupBarrier();
  if (local_index < BLOCK) {
    var total = 0.0;
    for (var i = local_index; i < WORKGROUP_SIZE; i += max(BLOCK, lanes)) {
      total += addends[i];
    }
    store_row(block_row, local_index, total);
  }
}

// variant workgroup: summed through workgroup memory.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / BLOCK), folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/workgroup_index.wgsl: workgroup_index
// include bsr/matrix.wgsl: params, BLOCK, WORKGROUP_SIZE
// include bsr/vector_line.wgsl: lane_part, store_row

var<workgroup> addends: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let block_row = workgroup_index(workgroup_id, num_workgroups);
  if (block_row * BLOCK >= params.rows) {
    return;
  }
  addends[local_index] = lane_part(block_row, local_index);
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance >= BLOCK; distance >>= 1u) {
    if (local_index < distance) {
      addends[local_index] += addends[local_index + distance];
    }
    workgroupBarrier();
  }
  if (local_index < BLOCK) {
    store_row(block_row, local_index, addends[local_index]);
  }
}
