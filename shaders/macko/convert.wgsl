// macko/convert: encodes a dense matrix in MACKO, in four passes: the bits of its non-zeros, the number of entries, the row
// starts, and the entries.

// Sizes of the matrix, and of the arrays that are written.
struct Params {
  rows: u32,
  cols: u32,
  words: u32, // of 32 columns each, in a row
  places: u32, // for values: a multiple of 8
  delta_words: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

// variant masks: a bit per cell of the dense matrix, set where it is not 0. A lane writes the bits of 32 columns, and reads
// cells for its neighbours too, so that neighbouring lanes read neighbouring cells.
// Source: MACKO paper, section 3. Differs: on the device, in passes, where the authors encode on the CPU.
// Lanes: a multiple of 32; subgroups are not used.
// Dispatch: x = ceil(rows * words / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 32 B per lane, and 128 B.
// Provides: params.

// include common/workgroup_index.wgsl: workgroup_index
// include macko/cells.wgsl#fours or #ones: find_four

// Bit i of word w of a row: column 32 w + i is not 0. One row after the other.
@group(0) @binding(2) var<storage, read_write> masks: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

// Groups of four columns in a word.
const FOURS = 8u;

// The bits of four columns, one line of the array for each of the eight groups of a word. Lines are 4 memory banks apart:
// lanes that write neighbouring groups, or read neighbouring words, use different banks.
var<workgroup> fours: array<u32, FOURS * (WORKGROUP_SIZE + 4u)>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE;
  for (var turn = 0u; turn < FOURS; turn++) {
    let four = turn * WORKGROUP_SIZE + local_index;
    let word = first + four / FOURS;
    let found = find_four(word / params.words, word % params.words * FOURS + four % FOURS);
    fours[four % FOURS * (WORKGROUP_SIZE + 4u) + four / FOURS] = found;
  }
  workgroupBarrier();
  if (first + local_index >= params.rows * params.words) {
    return;
  }
  var mask = 0u;
  for (var i = 0u; i < FOURS; i++) {
    mask |= fours[i * (WORKGROUP_SIZE + 4u) + local_index] << (4u * i);
  }
  masks[first + local_index] = mask;
}

// variant starts: the number of entries of every row, and of those before every 32 columns of it, from the bits of its
// non-zeros. A workgroup per row, whose lanes take neighbouring columns.
// Source: MACKO paper, section 3. Differs: on the device, by prefix sums.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 8 B per lane.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include common/workgroup_scan.wgsl: workgroup_scan

// Bit i of word w of a row: column 32 w + i is not 0. One row after the other.
@group(0) @binding(1) var<storage, read> masks: array<u32>;
// Entries of the row before these 32 columns, in the same order.
@group(0) @binding(2) var<storage, read_write> starts: array<u32>;
// Entries of each row.
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;
// Bits of a gap.
override DELTA_BITS: u32 = 4u;

// Number of entries for 32 columns with at least one non-zero; `before`: zeros between the row's last non-zero, or its
// beginning, and these columns.
fn entries_of(mask: u32, before: u32) -> u32 {
  let first = countTrailingZeros(mask);
  var rest = mask >> first;
  var entries = countOneBits(mask) + ((before + first) >> DELTA_BITS);
  // The zeros between two non-zeros; after the loop, only those that begin 2^DELTA_BITS zeros in a row, which need padding.
  var runs = ~rest & ((1u << firstLeadingBit(rest)) - 1u);
  for (var step = 0u; step < min(DELTA_BITS, 5u); step++) {
    runs &= runs >> (1u << step);
  }
  if (runs != 0u) {
    while (rest > 1u) {
      rest >>= 1u;
      let zeros = countTrailingZeros(rest);
      entries += zeros >> DELTA_BITS;
      rest >>= zeros;
    }
  }
  return entries;
}

// The number of columns of the row up to and including its last non-zero before word `end`; 0 if there is none.
fn passed_before(first: u32, end: u32) -> u32 {
  for (var word = end; word > 0u; word--) {
    let mask = masks[first + word - 1u];
    if (mask != 0u) {
      return 32u * word - countLeadingZeros(mask);
    }
  }
  return 0u;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups);
  if (row >= params.rows) {
    return;
  }
  let first = row * params.words;
  let per_lane = (params.words + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
  let begin = min(local_index * per_lane, params.words);
  let end = min(begin + per_lane, params.words);
  // The entries before each word: first the entries of the lane, then the entries of the row.
  var entries = 0u;
  var passed = 0u;
  for (var word = begin; word < end; word++) {
    let mask = masks[first + word];
    starts[first + word] = entries;
    if (mask == 0u) {
      continue;
    }
    if (entries == 0u) {
      passed = passed_before(first, begin);
    }
    entries += entries_of(mask, 32u * word - passed);
    passed = 32u * (word + 1u) - countLeadingZeros(mask);
  }
  let scan = workgroup_scan(entries, local_index);
  for (var word = begin; word < end; word++) {
    starts[first + word] += scan.before;
  }
  if (local_index == 0u) {
    counts[row] = scan.total;
  }
}

// variant rows: the row starts: one workgroup adds up the entries of all rows, several rows per lane at a time.
// Source: MACKO paper, section 3. Differs: on the device, by prefix sums.
// Lanes: any; subgroups are not used.
// Dispatch: x = 1.  Needs: nothing.  Workgroup memory: 8 B per lane.
// Provides: WORKGROUP_SIZE.

// include common/workgroup_scan.wgsl: workgroup_scan

// Entries of each row.
@group(0) @binding(1) var<storage, read> counts: array<u32>;
// First entry of each row, then the number of all entries.
@group(0) @binding(2) var<storage, read_write> indptr: array<u32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;

const ROWS_PER_LANE = 8u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_index: u32) {
  var entries = 0u;
  for (var first = 0u; first < params.rows; first += ROWS_PER_LANE * WORKGROUP_SIZE) {
    let begin = first + ROWS_PER_LANE * local_index;
    let end = min(begin + ROWS_PER_LANE, params.rows);
    var sum = 0u;
    for (var row = begin; row < end; row++) {
      sum += counts[row];
    }
    let scan = workgroup_scan(sum, local_index);
    var at = entries + scan.before;
    for (var row = begin; row < end; row++) {
      indptr[row] = at;
      at += counts[row];
    }
    entries += scan.total;
  }
  if (local_index == 0u) {
    indptr[params.rows] = entries;
  }
}

// variant entries: the values and gaps, from the cells and the bits of non-zeros. A lane writes whole words of both arrays, so
// that no two lanes write into one, and searches the matrix for its entries.
// Source: MACKO paper, section 3. Differs: on the device; each lane finds its own entries.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(places / ENTRIES_PER_LANE / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index
// include macko/store_values.wgsl#f16 or #f32: store_eight

// Bits of f32, one row after the other.
@group(0) @binding(1) var<storage, read> cells: array<u32>;
// Bit i of word w of a row: column 32 w + i is not 0. One row after the other.
@group(0) @binding(2) var<storage, read> masks: array<u32>;
// Entries of the row before these 32 columns, in the same order.
@group(0) @binding(3) var<storage, read> starts: array<u32>;
// First entry of each row, then the number of all entries. Only read, but in the buffer of the arrays that are written.
@group(0) @binding(4) var<storage, read_write> indptr: array<u32>;
// Column gap - 1 of all entries, the first in the lowest bits.
@group(0) @binding(6) var<storage, read_write> deltas: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;
// Bits of a gap.
override DELTA_BITS: u32 = 4u;
// Entries of a lane: they fill whole words of gaps, and are a multiple of 8, since values are stored eight at a time.
override ENTRIES_PER_LANE: u32 = 8u;

// Stands for the index of a cell where an entry is padding.
const NOWHERE = 0xffffffffu;

// Position of a lane in a row: between two entries.
struct Cursor {
  row: u32,
  end: u32, // the entry past the last of the row
  passed: u32, // columns up to and including the last entry
  word: u32, // the 32 columns that contain the next non-zero, if `left` is not 0
  left: u32, // the non-zeros of these columns that have no entry yet, as bits
}

// The row of an existing entry.
fn row_of(entry: u32) -> u32 {
  var row = 0u;
  var behind = params.rows;
  while (behind - row > 1u) {
    let middle = (row + behind) / 2u;
    if (indptr[middle] <= entry) {
      row = middle;
    } else {
      behind = middle;
    }
  }
  return row;
}

// The word (32 columns of a row) that an entry belongs to; entries are counted from the first of the row.
fn word_of(row: u32, entry: u32) -> u32 {
  var word = 0u;
  var behind = params.words;
  while (behind - word > 1u) {
    let middle = (word + behind) / 2u;
    if (starts[row * params.words + middle] <= entry) {
      word = middle;
    } else {
      behind = middle;
    }
  }
  return word;
}

// The position in its row just before an existing entry.
fn cursor_at(entry: u32) -> Cursor {
  let row = row_of(entry);
  let first = row * params.words;
  let in_row = entry - indptr[row];
  let word = word_of(row, in_row);
  let start = starts[first + word];
  var cursor = Cursor(row, indptr[row + 1u], 0u, word, masks[first + word]);
  if (start > 0u) {
    var last = word - 1u;
    if (masks[first + last] == 0u) {
      last = word_of(row, start - 1u);
    }
    cursor.passed = 32u * (last + 1u) - countLeadingZeros(masks[first + last]);
  }
  for (var skipped = in_row - start; skipped > 0u; ) {
    let column = 32u * word + countTrailingZeros(cursor.left);
    let padding = (column - cursor.passed) >> DELTA_BITS;
    if (skipped <= padding) {
      cursor.passed += skipped << DELTA_BITS;
      break;
    }
    skipped -= padding + 1u;
    cursor.passed = column + 1u;
    cursor.left &= cursor.left - 1u;
  }
  return cursor;
}

// The next entry, which exists: its gap, and the cell of its value, or NOWHERE for padding.
fn next_entry(cursor: ptr<function, Cursor>) -> vec2<u32> {
  let first_word = (*cursor).row * params.words;
  while ((*cursor).left == 0u) {
    (*cursor).word++;
    (*cursor).left = masks[first_word + (*cursor).word];
  }
  let column = 32u * (*cursor).word + countTrailingZeros((*cursor).left);
  let zeros = column - (*cursor).passed;
  if ((zeros >> DELTA_BITS) > 0u) {
    // Padding, with the longest gap.
    (*cursor).passed += 1u << DELTA_BITS;
    return vec2((1u << DELTA_BITS) - 1u, NOWHERE);
  }
  (*cursor).passed = column + 1u;
  (*cursor).left &= (*cursor).left - 1u;
  return vec2(zeros, (*cursor).row * params.cols + column);
}

// The bits of a cell's value; 0 for padding.
fn bits_of(cell: u32) -> u32 {
  return select(cells[select(cell, 0u, cell == NOWHERE)], 0u, cell == NOWHERE);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first = (workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index) * ENTRIES_PER_LANE;
  if (first >= params.places) {
    return;
  }
  let entries = indptr[params.rows];
  let per_word = 32u / DELTA_BITS;
  // `end` is the first entry, so that the loop searches the row of that entry.
  var cursor = Cursor(0u, first, 0u, 0u, 0u);
  var word = 0u;
  for (var eight = first / 8u; eight < (first + ENTRIES_PER_LANE) / 8u; eight++) {
    // First the cells of eight values, then the values, so that all these loads are in flight at once.
    var low = vec4(NOWHERE);
    var high = vec4(NOWHERE);
    for (var i = 0u; i < 8u; i++) {
      let entry = 8u * eight + i;
      var next = vec2(0u, NOWHERE);
      if (entry < entries) {
        if (entry == cursor.end) {
          cursor = cursor_at(entry);
        }
        next = next_entry(&cursor);
      }
      // `low` and `high` are a queue of the last eight cells.
      low = vec4(low.yzw, high.x);
      high = vec4(high.yzw, next.y);
      word = (word >> DELTA_BITS) | (next.x << (32u - DELTA_BITS));
      if (entry % per_word == per_word - 1u && entry / per_word < params.delta_words) {
        deltas[entry / per_word] = word;
      }
    }
    if (8u * eight < params.places) {
      store_eight(
        eight,
        vec4(bits_of(low.x), bits_of(low.y), bits_of(low.z), bits_of(low.w)),
        vec4(bits_of(high.x), bits_of(high.y), bits_of(high.z), bits_of(high.w)),
      );
    }
  }
}
