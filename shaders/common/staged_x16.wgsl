// common/staged_x16: x in workgroup memory as f16, which holds what shares leave once nobody reads x any more.
// Gives: x_at, copy_x, keep_number, kept_number.  Takes: WORKGROUP_SIZE, SHARES.

// Pairs of columns, at least 1: ceil(cols / 2).
override X_WORDS: u32 = 1u;
// Turns of copying x: ceil(X_WORDS / 4 / WORKGROUP_SIZE).
override TURNS: u32 = 1u;

// Columns 2 i and 2 i + 1 as f16, the lower half first.
@group(0) @binding(4) var<storage, read> x: array<u32>;

// x first, what shares leave in the end.
var<workgroup> staged: array<u32, max(X_WORDS, 4u * SHARES)>;

fn x_at(column: u32) -> f32 {
  return unpack2x16float(staged[column >> 1u] >> (16u * (column & 1u))).x;
}

fn keep_number(i: u32, number: f32) {
  staged[i] = bitcast<u32>(number);
}

fn kept_number(i: u32) -> f32 {
  return bitcast<f32>(staged[i]);
}

// All of x, whatever `first` is: there is one panel alone. Called by all lanes of the workgroup, and to be followed by a
// barrier.
fn copy_x(local_index: u32, _first: u32) {
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
}
