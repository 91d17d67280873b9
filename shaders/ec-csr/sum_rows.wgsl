// ec-csr/sum_rows: y from the partial sums of the blocks, one lane per row, in the order of the blocks.
// Source: ours. Differs: the paper adds by atomics.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index

struct RowParams {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: RowParams;
// Row i has the partial sums from partialPtr[i] up to, but not including, partialPtr[i + 1].
@group(0) @binding(1) var<storage, read> partialPtr: array<u32>;
// The partial sums of all blocks, row by row.
@group(0) @binding(2) var<storage, read> partials: array<f32>;
// One sum per row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (row >= params.rows) {
    return;
  }
  let end = partialPtr[row + 1u];
  var sum = 0.0;
  // Four at a time, so that their loads are in flight together; added one by one, in their order.
  for (var i = partialPtr[row]; i < end; i += 4u) {
    let last = end - 1u;
    let four = vec4(partials[i], partials[min(i + 1u, last)], partials[min(i + 2u, last)], partials[min(i + 3u, last)]);
    sum += four.x;
    sum += select(0.0, four.y, i + 1u < end);
    sum += select(0.0, four.z, i + 2u < end);
    sum += select(0.0, four.w, i + 3u < end);
  }
  // step: row
  y[row] = sum;
}
