// common/equal_shares: y = A x in shares of about as many entries each, one for every subgroup of a workgroup, whatever
// rows hold. A share may begin and end in the middle of a row: then the sums of its parts meet in workgroup memory. Every
// row belongs to one workgroup.
// Gives: WORKGROUP_SIZE, SHARES, share_of, first_column_of, multiply_shares.
// Takes: indptr, part_sum, Sum, SHARE_WORDS, keep_sum, kept_sum, keep_number, kept_number.

// include common/whole_rows.wgsl or common/rows_of_words.wgsl or common/panel_rows.wgsl or common/panel_token_rows.wgsl:
//   Bounds, bounds_of, starts_at, first_column, store_sum

// Lanes per workgroup.
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

// Number `share` of all workgroups, four words each.
fn share_start(share: u32) -> Start {
  let at = starts_at() + 4u * share;
  return Start(indptr[at], indptr[at + 1u], indptr[at + 2u], indptr[at + 3u] != 0u);
}

// A share, with what its first rows need: read before x is copied, so that all this is under way meanwhile.
struct Share {
  start: Start,
  next: Start,
  first: Bounds, // its first row
  following: Bounds, // the row behind it
}

// The share of a subgroup; a subgroup without one gets another's.
fn share_of(workgroup: u32, subgroup: u32) -> Share {
  let share = workgroup * SHARES + min(subgroup, SHARES - 1u);
  let start = share_start(share);
  return Share(start, share_start(share + 1u), bounds_of(start.row), bounds_of(start.row + 1u));
}

// The first column of x that a workgroup needs.
fn first_column_of(workgroup: u32) -> u32 {
  return first_column(indptr[starts_at() + 4u * workgroup * SHARES + 1u]);
}

// Of the words that a share leaves: those of its two sums come first.
const ROW_WORD = SHARE_WORDS - 2u;
const TAIL_WORD = SHARE_WORDS - 1u;

// What a share leaves to be added to the sums of others.
struct Ends {
  head: Sum, // of the row that it begins inside
  tail: Sum, // of the row that began in it and goes on behind it
  row: u32, // that row
  has_tail: bool,
}

// All rows of a share. Called by all lanes of a subgroup.
fn multiply_share(share: Share, lane: u32, lanes: u32) -> Ends {
  let start = share.start;
  let next = share.next;
  var ends = Ends(Sum(), Sum(), next.row, next.inside && !(start.inside && start.row == next.row));
  var row = start.row;
  var begin = start.entry;
  var passed = start.passed;
  var row_end = share.first.end;
  var following = share.following;
  while (row < next.row || begin < next.entry) {
    let sum = part_sum(begin, select(row_end, next.entry, row == next.row), passed, lane, lanes);
    if (row == start.row && start.inside) {
      ends.head = sum;
    } else if (row == next.row) {
      ends.tail = sum;
    } else if (lane == 0u) {
      store_sum(row, sum);
    }
    if (row == next.row) {
      break;
    }
    row += 1u;
    begin = following.begin;
    passed = following.passed;
    row_end = following.end;
    following = bounds_of(row + 1u); // under way while this row computes
  }
  return ends;
}

// All shares of a workgroup. Called by all its lanes; afterwards its memory holds what shares have left.
fn multiply_shares(own: Share, workgroup: u32, local_index: u32, lane: u32, lanes: u32) {
  let share = local_index / lanes;
  let first_row = indptr[starts_at() + 4u * workgroup * SHARES + 1u];
  var ends = Ends();
  if (share < SHARES) {
    ends = multiply_share(own, lane, lanes);
  }
  workgroupBarrier(); // nobody reads x any more
  if (share < SHARES && lane == 0u) {
    keep_sum(share, 0u, ends.head);
    keep_sum(share, 1u, ends.tail);
    keep_number(SHARE_WORDS * share + ROW_WORD, f32(ends.row - first_row)); // exact: a workgroup has fewer than 2^24 rows
    keep_number(SHARE_WORDS * share + TAIL_WORD, select(0.0, 1.0, ends.has_tail));
  }
  workgroupBarrier();
  if (local_index < SHARES && kept_number(SHARE_WORDS * local_index + TAIL_WORD) == 1.0) {
    // The row goes on in the shares behind, up to and with the first that ends in another row.
    let row = kept_number(SHARE_WORDS * local_index + ROW_WORD);
    var sum = kept_sum(local_index, 1u);
    for (var i = local_index + 1u; i < SHARES; i++) {
      sum += kept_sum(i, 0u);
      if (kept_number(SHARE_WORDS * i + ROW_WORD) != row) {
        break;
      }
    }
    store_sum(first_row + u32(row), sum);
  }
}
