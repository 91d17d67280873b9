// bsr/gemm: Y = X A^T for up to 16 tokens, one workgroup per block row.
// Source: ours; the layout is SciPy's bsr_array. Differs: edges of shapes that blocks do not divide are filled with zeros.

// variant subgroup: summed by subgroups first.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / BLOCK), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 16 B per lane.
enable subgroups;
// Control flow is uniform, since the lanes of a workgroup share a block row; the uniformity analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include bsr/matrix.wgsl: params, BLOCK, WORKGROUP_SIZE
// include bsr/tokens_line.wgsl: QUADS, lane_parts, store_tokens

var<workgroup> addends: array<vec4<f32>, WORKGROUP_SIZE>;

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
  let parts = lane_parts(block_row, local_index);
  for (var quad = 0u; quad < QUADS; quad++) {
    var sums = parts[quad];
    for (var distance = BLOCK; distance < lanes; distance <<= 1u) { // lanes of the same line
      sums += subgroupShuffleXor(sums, distance);
    }
    addends[local_index] = sums;
    workgroupBarrier();
    if (local_index < BLOCK) {
      var total = vec4(0.0);
      for (var i = local_index; i < WORKGROUP_SIZE; i += max(BLOCK, lanes)) {
        total += addends[i];
      }
      store_tokens(block_row, local_index, quad, total);
    }
    workgroupBarrier();
  }
}

// variant workgroup: summed through workgroup memory.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / BLOCK), folded into y above 65535.  Needs: nothing.  Workgroup memory: 16 B per lane.

// include common/workgroup_index.wgsl: workgroup_index
// include bsr/matrix.wgsl: params, BLOCK, WORKGROUP_SIZE
// include bsr/tokens_line.wgsl: QUADS, lane_parts, store_tokens

var<workgroup> addends: array<vec4<f32>, WORKGROUP_SIZE>;

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
  let parts = lane_parts(block_row, local_index);
  for (var quad = 0u; quad < QUADS; quad++) {
    addends[local_index] = parts[quad];
    workgroupBarrier();
    for (var distance = WORKGROUP_SIZE / 2u; distance >= BLOCK; distance >>= 1u) {
      if (local_index < distance) {
        addends[local_index] += addends[local_index + distance];
      }
      workgroupBarrier();
    }
    if (local_index < BLOCK) {
      store_tokens(block_row, local_index, quad, addends[local_index]);
    }
    workgroupBarrier();
  }
}
