// common/equal_shares: y = A x in shares of about as many entries each, one for every subgroup of a workgroup, whatever
// rows hold. A share may begin and end in the middle of a row: then the sums of its parts meet in workgroup memory. Every
// row belongs to one workgroup.
// Gives: WORKGROUP_SIZE, SHARES, share_of, multiply_shares.
// Takes: params, indptr, y, row_scale, part_sum, keep_number, kept_number.

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Shares of a workgroup: as many as it has subgroups where they are widest; narrower ones leave some without a share.
override SHARES: u32 = 8u;

// Where a share begins; it ends where the next one begins.
struct Start {
  entry: u32,
  row: u32, // the row of that entry
  passed: u32, // columns of the row that the entries before it have passed
  inside: bool, // whether the row began in a share before
}

// Number `share` of all workgroups. Shares stand behind the rows + 1 row starts, four words each.
fn share_start(share: u32) -> Start {
  let at = params.rows + 1u + 4u * share;
  return Start(indptr[at], indptr[at + 1u], indptr[at + 2u], indptr[at + 3u] != 0u);
}

// No row: that of a share that does not begin or go on inside one.
const NO_ROW = 0xffffffffu;

// A share, with what its first rows need: read before x is copied, so that all this is under way meanwhile.
struct Share {
  begin: u32, // its first entry
  end: u32, // behind its last
  row: u32, // the first row
  last: u32, // the row behind the last that ends in it
  passed: u32, // columns of the first row that are passed in front of it
  head_row: u32, // the row that it begins inside, or none
  tail_row: u32, // the row that begins in it and goes on behind it, or none
  row_end: u32, // of the first row
  following: u32, // end of the row behind it
}

// The share of a subgroup; a subgroup without one gets another's.
fn share_of(workgroup: u32, subgroup: u32) -> Share {
  let share = workgroup * SHARES + min(subgroup, SHARES - 1u);
  let start = share_start(share);
  let next = share_start(share + 1u);
  return Share(
    start.entry,
    next.entry,
    start.row,
    next.row,
    start.passed,
    select(NO_ROW, start.row, start.inside),
    select(NO_ROW, next.row, next.inside && !(start.inside && start.row == next.row)),
    indptr[min(start.row + 1u, params.rows)],
    indptr[min(start.row + 2u, params.rows)],
  );
}

// What a share leaves to be added to the sums of others.
struct Ends {
  head: f32, // of the row that it begins inside
  tail: f32, // of the row that begins in it and goes on behind it
}

// All rows of a share. Called by all lanes of a subgroup.
fn multiply_share(share: Share, lane: u32, lanes: u32) -> Ends {
  var ends = Ends(0.0, 0.0);
  var row = share.row;
  var begin = share.begin;
  var passed = share.passed;
  var row_end = share.row_end;
  var following = share.following;
  while (row < share.last || begin < share.end) {
    let sum = part_sum(begin, min(row_end, share.end), passed, lane, lanes);
    if (row == share.head_row) {
      ends.head = sum;
    } else if (row == share.tail_row) {
      ends.tail = sum;
    } else if (lane == 0u) {
      y[row] = sum * row_scale(row);
    }
    if (row == share.last) {
      break;
    }
    row += 1u;
    begin = row_end;
    passed = 0u;
    row_end = following;
    following = indptr[min(row + 2u, params.rows)]; // under way while this row computes
  }
  return ends;
}

// Numbers below 2^24 are exact in f32: a row is kept as two of them.
const HALF_ROW = 65536u;

// All shares of a workgroup. Called by all its lanes; afterwards its memory holds what shares have left.
fn multiply_shares(own: Share, local_index: u32, lane: u32, lanes: u32) {
  let share = local_index / lanes;
  var ends = Ends(0.0, 0.0);
  if (share < SHARES) {
    ends = multiply_share(own, lane, lanes);
  }
  workgroupBarrier(); // nobody reads x any more
  if (share < SHARES && lane == 0u) {
    keep_number(4u * share, ends.head);
    keep_number(4u * share + 1u, ends.tail);
    keep_number(4u * share + 2u, f32(own.last / HALF_ROW));
    keep_number(4u * share + 3u, f32(own.last % HALF_ROW + select(0u, HALF_ROW, own.tail_row != NO_ROW)));
  }
  workgroupBarrier();
  if (local_index < SHARES) {
    let upper = kept_number(4u * local_index + 2u);
    let lower = u32(kept_number(4u * local_index + 3u));
    if (lower >= HALF_ROW) {
      // The row goes on in the shares behind, up to and with the first that ends in another row.
      let row = u32(upper) * HALF_ROW + lower % HALF_ROW;
      var sum = kept_number(4u * local_index + 1u);
      for (var i = local_index + 1u; i < SHARES; i++) {
        sum += kept_number(4u * i);
        if (kept_number(4u * i + 2u) != upper || u32(kept_number(4u * i + 3u)) % HALF_ROW != lower % HALF_ROW) {
          break;
        }
      }
      y[row] = sum * row_scale(row);
    }
  }
}
