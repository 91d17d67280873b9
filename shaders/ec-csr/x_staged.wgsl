// ec-csr/x_staged: x in workgroup memory.
// Gives: WORKGROUP_SIZE, MEMORY, memory, x_at, stage_x.  Takes: params, x.  Workgroup memory: all of it.
//
// Its size is the device's and not the matrix's: a pipeline then serves every matrix.

// Lanes per workgroup, a multiple of the subgroup size.
override WORKGROUP_SIZE: u32 = 256u;
// Elements that a workgroup has: one per column, and behind them whatever else the kernel keeps there.
override MEMORY: u32 = 4096u;

var<workgroup> memory: array<f32, MEMORY>;

fn x_at(column: u32) -> f32 {
  return memory[column];
}

// To be followed by a barrier.
fn stage_x(local_index: u32) {
  // Four copies per turn, so that their loads are under way together; behind the end, the last element again.
  for (var first = 0u; first < params.cols; first += 4u * WORKGROUP_SIZE) {
    let a = min(first + local_index, params.cols - 1u);
    let b = min(a + WORKGROUP_SIZE, params.cols - 1u);
    let c = min(b + WORKGROUP_SIZE, params.cols - 1u);
    let d = min(c + WORKGROUP_SIZE, params.cols - 1u);
    let x_a = x[a];
    let x_b = x[b];
    let x_c = x[c];
    let x_d = x[d];
    memory[a] = x_a;
    memory[b] = x_b;
    memory[c] = x_c;
    memory[d] = x_d;
  }
}
