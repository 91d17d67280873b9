// macko/row_queue: a block of neighbouring rows per workgroup; a subgroup that is done takes the next row.
// Gives: WORKGROUP_SIZE, multiply_rows.  Workgroup memory: 4 B.

// include macko/matrix.wgsl: params, indptr, y, row_scale
// include macko/row_by_subgroup.wgsl: Walk, row_sum

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Rows of a workgroup.
override ROWS_PER_WORKGROUP: u32 = 1u;

// Rows of the block that were taken, besides the first of each subgroup.
var<workgroup> taken: atomic<u32>;

fn multiply_rows(workgroup: u32, subgroup: u32, lane: u32, lanes: u32) {
  let first = workgroup * ROWS_PER_WORKGROUP;
  let behind = min(first + ROWS_PER_WORKGROUP, params.rows);
  var row = first + subgroup;
  var begin = indptr[min(row, params.rows)];
  var end = indptr[min(row + 1u, params.rows)];
  while (row < behind) {
    var ticket = 0u;
    if (lane == 0u) {
      ticket = atomicAdd(&taken, 1u);
    }
    let next = first + WORKGROUP_SIZE / lanes + subgroupBroadcastFirst(ticket);
    let next_begin = indptr[min(next, params.rows)]; // under way while this row computes
    let next_end = indptr[min(next + 1u, params.rows)];
    let sum = row_sum(Walk(begin, end, lane, lanes));
    if (lane == 0u) {
      y[row] = sum * row_scale(row);
    }
    row = next;
    begin = next_begin;
    end = next_end;
  }
}
