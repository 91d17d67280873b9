// ec-csr/x_staged: x in workgroup memory.
// Gives: WORKGROUP_SIZE, COLS, TURNS, x_at, stage_x.  Takes: x.  Workgroup memory: 4 B per column.

// Lanes per workgroup, a multiple of the subgroup size.
override WORKGROUP_SIZE: u32 = 256u;
// Columns of the matrix, at least 1.
override COLS: u32 = 1u;
// Turns of copying x: ceil(COLS / 4 / WORKGROUP_SIZE).
override TURNS: u32 = 1u;

var<workgroup> staged: array<f32, COLS>;

fn x_at(column: u32) -> f32 {
  return staged[column];
}

// To be followed by a barrier.
fn stage_x(local_index: u32) {
  // Four copies per turn, so that their loads are under way together; behind the end, the last element again.
  for (var turn = 0u; turn < TURNS; turn++) {
    let a = min(4u * turn * WORKGROUP_SIZE + local_index, COLS - 1u);
    let b = min(a + WORKGROUP_SIZE, COLS - 1u);
    let c = min(b + WORKGROUP_SIZE, COLS - 1u);
    let d = min(c + WORKGROUP_SIZE, COLS - 1u);
    let x_a = x[a];
    let x_b = x[b];
    let x_c = x[c];
    let x_d = x[d];
    staged[a] = x_a;
    staged[b] = x_b;
    staged[c] = x_c;
    staged[d] = x_d;
  }
}
