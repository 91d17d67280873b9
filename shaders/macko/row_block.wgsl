// macko/row_block: neighbouring rows shared out among the subgroups of a workgroup.
// Gives: WORKGROUP_SIZE, ROWS_PER_WORKGROUP, multiply_rows.  Takes: row_sum, row_scale.

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Neighbouring rows that a workgroup works on.
override ROWS_PER_WORKGROUP: u32 = 1u;

// Every subgroup takes one row after the other of block number `block`.
fn multiply_rows(block: u32, subgroup: u32, lane: u32, lanes: u32) {
  let first = block * ROWS_PER_WORKGROUP;
  let behind = min(first + ROWS_PER_WORKGROUP, params.rows);
  for (var row = first + subgroup; row < behind; row += WORKGROUP_SIZE / lanes) {
    let sum = subgroupAdd(row_sum(row, lane, lanes));
    if (lane == 0u) {
      y[row] = sum * row_scale(row);
    }
  }
}
