// common/staged: y = A x with x in workgroup memory: which entries each subgroup multiplies. With rows, a subgroup has one
// row. With segments (`share` in names), each subgroup has about the same number of entries, for any rows: a segment may begin
// and end inside a row, whose partial sums are then added in workgroup memory. Every row belongs to one workgroup.
// Provides: WORKGROUP_SIZE.
enable subgroups;
// The lanes of a subgroup loop together, since they have the same row or segment; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// Lanes per workgroup, a multiple of the lanes of a subgroup.
override WORKGROUP_SIZE: u32 = 256u;

// variant rows: a subgroup per row.
// Provides: main, SHARES.  Requires: early_steps, copy_x, params, part_sum.

// include common/workgroup_index.wgsl: workgroup_index

// No segments: the memory contains x and nothing else.
const SHARES = 0u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  // As many rows per workgroup as it has subgroups: subgroups narrower than planned leave workgroups without work.
  let row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / lanes) + local_index / lanes;
  let own = bounds_of(row);
  let early = early_steps(own.begin, lane, lanes); // in flight while x is copied
  copy_x(local_index, 0u);
  workgroupBarrier();
  if (row < params.rows) {
    let sum = part_sum(own.begin, own.end, early, lane, lanes);
    if (lane == 0u) {
      store_sum(row, sum);
    }
  }
}

// variant shares or word_shares or panel_shares or token_panel_shares: segments of equal size.
// Provides: main, SHARES.  Requires: indptr, SHARE_WORDS, Sum, part_sum, keep_sum, keep_number, kept_number, kept_sum, copy_x.

// Segments of a workgroup: as many as it has subgroups where they are widest; of narrower subgroups, some have no segment.
override SHARES: u32 = 8u;

// Where a segment begins; it ends where the next one begins.
struct Start {
  entry: u32,
  row: u32, // the row of that entry
  passed: u32, // columns of the row that the entries before it have passed
  inside: bool, // whether the row began in an earlier segment
}

// Start of segment number `share`, counted over all workgroups; four words each.
fn share_start(share: u32) -> Start {
  let at = starts_at() + 4u * share;
  return Start(indptr[at], indptr[at + 1u], indptr[at + 2u], indptr[at + 3u] != 0u);
}

// A segment, with what its first rows need: read before x is copied, so that these loads overlap with the copy.
struct Share {
  start: Start,
  next: Start,
  first: Bounds, // its first row
  following: Bounds, // the next row
}

// The segment of a subgroup; a subgroup without one gets the last segment of its workgroup.
fn share_of(workgroup: u32, subgroup: u32) -> Share {
  let share = workgroup * SHARES + min(subgroup, SHARES - 1u);
  let start = share_start(share);
  return Share(start, share_start(share + 1u), bounds_of(start.row), bounds_of(start.row + 1u));
}

// The first column of x that a workgroup needs.
fn first_column_of(workgroup: u32) -> u32 {
  return first_column(indptr[starts_at() + 4u * workgroup * SHARES + 1u]);
}

// Words of the results of a segment after the words of its two sums.
const ROW_WORD = SHARE_WORDS - 2u;
const TAIL_WORD = SHARE_WORDS - 1u;

// The partial row sums of a segment, to be added to the sums of other segments.
struct Ends {
  head: Sum, // of the row that it begins inside
  tail: Sum, // of the row that began in it and continues after it
  row: u32, // that row
  has_tail: bool,
}

// Multiplies all rows of a segment. Called by all lanes of a subgroup.
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
    following = bounds_of(row + 1u); // in flight while this row computes
  }
  return ends;
}

// Multiplies all segments of a workgroup. Called by all its lanes; afterwards its memory contains the results of segments.
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
    // The row continues in the segments after it, up to and including the first that ends in another row.
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

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let share = share_of(workgroup_id.x, local_index / lanes);
  copy_x(local_index, first_column_of(workgroup_id.x));
  workgroupBarrier();
  multiply_shares(share, workgroup_id.x, local_index, lane, lanes);
}

// variant rows or shares or word_shares: the rows of the matrix.
// Requires: y, row_scale, params.

// The entries of a row, and the columns that are passed in front of them.
struct Bounds {
  begin: u32,
  end: u32,
  passed: u32,
}

// Where the starts of the segments are: after the rows + 1 row starts.
fn starts_at() -> u32 {
  return params.rows + 1u;
}

// The first column of x that a workgroup needs whose first segment begins in this row.
fn first_column(_row: u32) -> u32 {
  return 0u;
}

fn store_sum(row: u32, sum: f32) {
  y[row] = sum * row_scale(row);
}

// variant rows or shares: entries are all that a row has.
// Requires: indptr.

// The entries of a row; none past the last row.
fn bounds_of(row: u32) -> Bounds {
  return Bounds(indptr[min(row, params.rows)], indptr[min(row + 1u, params.rows)], 0u);
}

// variant word_shares: a row also has words; those of the rows before it are passed in front of it.
// Requires: words_per_row.

// The entries of a row; none past the last row.
fn bounds_of(row: u32) -> Bounds {
  return Bounds(indptr[min(row, params.rows)], indptr[min(row + 1u, params.rows)], row * words_per_row());
}

// variant panel_shares or token_panel_shares: the matrix split into panels of columns: parts of rows instead of rows.
// Requires: params.

// How many panels there are.
override PANELS: u32 = 2u;
// Columns of a panel, at least 1: ceil(cols / PANELS).
override PANEL_COLS: u32 = 1u;

// The entries of a part, and how many columns of its panel are passed in front of them. That number is negative, modulo 2^32,
// if the entry before them is in an earlier panel.
struct Bounds {
  begin: u32,
  end: u32,
  passed: u32,
}

// `indptr` begins with where each part begins, for PANELS + 1 panels: a part ends where the same row begins in the next panel.
// Then follow the passed columns of each part. Past the last part, the last one is returned again.
fn bounds_of(part: u32) -> Bounds {
  let at = min(part, PANELS * params.rows - 1u);
  return Bounds(indptr[at], indptr[at + params.rows], indptr[at + (PANELS + 1u) * params.rows]);
}

// Where the starts of the segments are.
fn starts_at() -> u32 {
  return (2u * PANELS + 1u) * params.rows;
}

// The first column of x that a workgroup needs whose first segment begins in this part.
fn first_column(part: u32) -> u32 {
  return min(part / params.rows, PANELS - 1u) * PANEL_COLS;
}

// variant panel_shares: the sum of each part of a row is stored separately.
// Requires: y, row_scale.

fn store_sum(part: u32, sum: f32) {
  y[part] = sum * row_scale(part % params.rows);
}

// variant token_panel_shares: sums with several tokens: all tokens of the first panel, then all of the second.
// Requires: store_tokens, row_scale.

// include common/own_tokens.wgsl: TOKENS

fn store_sum(part: u32, sum: Sum) {
  let row = part % params.rows;
  store_tokens(min(part / params.rows, PANELS - 1u) * TOKENS * params.rows + row, sum * row_scale(row));
}
