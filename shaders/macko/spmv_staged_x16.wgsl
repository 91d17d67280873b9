// macko/spmv_staged_x16: y = A x, one subgroup per row, many rows per workgroup, x in workgroup memory as f16.
// Source: MACKO paper, section 4.4. Differs: x in workgroup memory, where a gather takes fewer turns than in the cache;
// two steps share one scan by shuffles; row edges masked by ordinal, so that Inf and NaN in x reach no other row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 2 B per column + 4 B.
// Gives: x_at.
enable subgroups;
// The lanes of a subgroup loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include macko/row_queue.wgsl: WORKGROUP_SIZE, multiply_rows

// Pairs of columns, at least 1: ceil(cols / 2).
override X_WORDS: u32 = 1u;
// Turns of copying x: ceil(X_WORDS / 4 / WORKGROUP_SIZE).
override TURNS: u32 = 1u;

// Columns 2 i and 2 i + 1 as f16, the lower half first.
@group(0) @binding(4) var<storage, read> x: array<u32>;

var<workgroup> staged: array<u32, X_WORDS>;

fn x_at(column: u32) -> f32 {
  return unpack2x16float(staged[column >> 1u] >> (16u * (column & 1u))).x;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  // Four copies per turn, so that their loads are under way together; behind the end, the last element again.
  for (var turn = 0u; turn < TURNS; turn++) {
    let a = min(4u * turn * WORKGROUP_SIZE + local_index, X_WORDS - 1u);
    let b = min(a + WORKGROUP_SIZE, X_WORDS - 1u);
    let c = min(b + WORKGROUP_SIZE, X_WORDS - 1u);
    let d = min(c + WORKGROUP_SIZE, X_WORDS - 1u);
    let x_a = x[a];
    let x_b = x[b];
    let x_c = x[c];
    let x_d = x[d];
    staged[a] = x_a;
    staged[b] = x_b;
    staged[c] = x_c;
    staged[d] = x_d;
  }
  workgroupBarrier();
  multiply_rows(workgroup_index(workgroup_id, num_workgroups), local_index / lanes, lane, lanes);
}
