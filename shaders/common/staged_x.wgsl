// common/staged_x: x in workgroup memory as f32, which holds what shares leave once nobody reads x any more.
// Gives: x_at, copy_x, keep_number, kept_number.  Takes: WORKGROUP_SIZE, SHARES.

// Columns that are copied, at least 1.
override COLS: u32 = 1u;
// Turns of copying x: ceil(COLS / 4 / WORKGROUP_SIZE).
override TURNS: u32 = 1u;

// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;

// x first, what shares leave in the end.
var<workgroup> staged: array<f32, max(COLS, 4u * SHARES)>;

fn x_at(column: u32) -> f32 {
  return staged[column];
}

fn keep_number(i: u32, number: f32) {
  staged[i] = number;
}

fn kept_number(i: u32) -> f32 {
  return staged[i];
}

// The columns from `first` on. Called by all lanes of the workgroup, and to be followed by a barrier. What is copied from
// past the last column is some element of x, as WGSL guarantees, and belongs to no entry.
fn copy_x(local_index: u32, first: u32) {
  // Four copies per turn, so that their loads are under way together; behind the end, the last element again.
  for (var turn = 0u; turn < TURNS; turn++) {
    let a = min(4u * turn * WORKGROUP_SIZE + local_index, COLS - 1u);
    let b = min(a + WORKGROUP_SIZE, COLS - 1u);
    let c = min(b + WORKGROUP_SIZE, COLS - 1u);
    let d = min(c + WORKGROUP_SIZE, COLS - 1u);
    let x_a = x[first + a];
    let x_b = x[first + b];
    let x_c = x[first + c];
    let x_d = x[first + d];
    staged[a] = x_a;
    staged[b] = x_b;
    staged[c] = x_c;
    staged[d] = x_d;
  }
}
