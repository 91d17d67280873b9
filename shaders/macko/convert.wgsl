// macko/convert: values and gaps of MACKO out of a dense matrix of which it is known where it is not 0: a lane owns whole
// words of both arrays, so that no two lanes write into one, and searches where in the matrix its entries are.
// Source: MACKO paper, section 3. Differs: on the device; each lane finds its own entries.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(places / ENTRIES_PER_LANE / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index
// include macko/convert_sizes.wgsl: params
// include macko/made.wgsl#f16 or #f32: store_eight

// Bits of f32, one row after the other.
@group(0) @binding(1) var<storage, read> cells: array<u32>;
// Bit i of word w of a row: column 32 w + i is not 0. One row after the other.
@group(0) @binding(2) var<storage, read> masks: array<u32>;
// Entries of the row in front of these 32 columns, likewise.
@group(0) @binding(3) var<storage, read> starts: array<u32>;
// First entry of each row, and after them the number of all entries; read alone, but it shares its buffer with what is written.
@group(0) @binding(4) var<storage, read_write> indptr: array<u32>;
// Column gap - 1 of all entries, the first in the lowest bits.
@group(0) @binding(6) var<storage, read_write> deltas: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;
// Bits of a gap.
override DELTA_BITS: u32 = 4u;
// Entries of a lane: whole words of gaps, and at least the 8 that values are rounded up to.
override ENTRIES_PER_LANE: u32 = 8u;

const NOWHERE = 0xffffffffu;

// How far a row has been taken apart.
struct Cursor {
  row: u32,
  end: u32, // the entry past the last of the row
  passed: u32, // columns up to the last entry
  word: u32, // which 32 columns of the row are next
  left: u32, // the non-zeros among these that no entry has reached
}

// The row of an entry that there is.
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

// The 32 columns that an entry of a row belongs to, with the first of the row as 0.
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

// The row of an entry that there is, taken apart up to it.
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

// The next entry, of which there is one: its gap, and where its value is, or NOWHERE for padding.
fn next_entry(cursor: ptr<function, Cursor>) -> vec2<u32> {
  let first_word = (*cursor).row * params.words;
  while ((*cursor).left == 0u) {
    (*cursor).word++;
    (*cursor).left = masks[first_word + (*cursor).word];
  }
  let column = 32u * (*cursor).word + countTrailingZeros((*cursor).left);
  let zeros = column - (*cursor).passed;
  if ((zeros >> DELTA_BITS) > 0u) {
    // Padding: as far as a gap reaches.
    (*cursor).passed += 1u << DELTA_BITS;
    return vec2((1u << DELTA_BITS) - 1u, NOWHERE);
  }
  (*cursor).passed = column + 1u;
  (*cursor).left &= (*cursor).left - 1u;
  return vec2(zeros, (*cursor).row * params.cols + column);
}

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
  // The first entry opens its row.
  var cursor = Cursor(0u, first, 0u, 0u, 0u);
  var word = 0u;
  for (var eight = first / 8u; eight < (first + ENTRIES_PER_LANE) / 8u; eight++) {
    // First where eight values are, then the values: all these loads are in flight at once.
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
