// macko/row_block: a block of neighbouring rows per workgroup, an equal run of them per subgroup.
// Gives: WORKGROUP_SIZE, multiply_rows.

// include macko/matrix.wgsl: params, indptr, y, row_scale
// include macko/row_by_subgroup.wgsl: Walk, row_sum

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Neighbouring rows that a subgroup takes one after the other.
override ROWS_PER_SUBGROUP: u32 = 1u;

fn multiply_rows(workgroup: u32, subgroup: u32, lane: u32, lanes: u32) {
  var row = (workgroup * (WORKGROUP_SIZE / lanes) + subgroup) * ROWS_PER_SUBGROUP;
  if (row >= params.rows) {
    return;
  }
  let behind = min(row + ROWS_PER_SUBGROUP, params.rows);
  var begin = indptr[row];
  var end = indptr[row + 1u];
  for (; row < behind; row++) {
    let next_end = indptr[min(row + 2u, params.rows)]; // under way while this row computes
    let sum = row_sum(Walk(begin, end, lane, lanes));
    if (lane == 0u) {
      y[row] = sum * row_scale(row);
    }
    begin = end;
    end = next_end;
  }
}
