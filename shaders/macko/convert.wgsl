// macko/convert: values and gaps of MACKO out of a dense matrix of which it is known where it is not 0: a workgroup owns
// whole words of both arrays, so that no two write into one. It searches in which columns its entries are, and goes through
// these, a lane for a column, to where the words are put together.
// Source: MACKO paper, section 3. Differs: on the device; whoever writes finds its entries by itself.
// Lanes: a multiple of 32; subgroups are not used.
// Dispatch: x = ceil(places / ENTRIES), folded into y above 65535.  Needs: nothing.
// Workgroup memory: 16 B per lane, 8 B, and for entries.
// Gives: ENTRIES.

// include common/workgroup_index.wgsl: workgroup_index
// include macko/convert_sizes.wgsl: params
// include macko/entries_of.wgsl: DELTA_BITS, entries_of
// include macko/made_f16.wgsl or macko/made_f32.wgsl: VALUES_PER_WORD, keep, kept_gap, kept_value
// include macko/passed_before.wgsl: masks, passed_before

// Entries of the row in front of 32 columns, row by row.
@group(0) @binding(2) var<storage, read> starts: array<u32>;
// Bits of f32, one row after the other.
@group(0) @binding(3) var<storage, read> cells: array<u32>;
// First entry of each row, and behind them the number of all entries; read alone, but it shares its buffer with what is written.
@group(0) @binding(4) var<storage, read_write> indptr: array<u32>;
// Values of all entries, and 0 up to a multiple of 8 of them; two in a word where they have 16 bits.
@group(0) @binding(5) var<storage, read_write> values: array<u32>;
// Column gap - 1 of all entries, the first in the lowest bits.
@group(0) @binding(6) var<storage, read_write> deltas: array<u32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 256u;
// Entries of a workgroup: whole words of gaps.
override ENTRIES: u32 = 2048u;

// The 32 columns of each lane's word under way: which of them are not 0,
var<workgroup> under_way: array<u32, WORKGROUP_SIZE>;
// zeros in front of them since the last non-zero of the row,
var<workgroup> before: array<u32, WORKGROUP_SIZE>;
// the entry that they begin with, as seen from the first of the workgroup,
var<workgroup> places: array<i32, WORKGROUP_SIZE>;
// and their first cell.
var<workgroup> firsts: array<u32, WORKGROUP_SIZE>;
// The word of the workgroup's first entry, and that of its last.
var<workgroup> ends: array<u32, 2>;

// Which 32 columns of which row an entry belongs to, counted through all rows. There is such an entry.
fn word_of(entry: u32) -> u32 {
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
  let in_row = entry - indptr[row];
  var word = row * params.words;
  behind = word + params.words;
  while (behind - word > 1u) {
    let middle = (word + behind) / 2u;
    if (starts[middle] <= in_row) {
      word = middle;
    } else {
      behind = middle;
    }
  }
  return word;
}

// Whether the cell of this number among those of all lanes' words is not 0.
fn is_found(cell: u32) -> bool {
  return cell < 32u * WORKGROUP_SIZE && ((under_way[min(cell / 32u, WORKGROUP_SIZE - 1u)] >> (cell % 32u)) & 1u) != 0u;
}

// The bits of a cell that is not 0; of any other it does not matter what.
fn bits_of(cell: u32) -> u32 {
  return cells[select(0u, firsts[min(cell / 32u, WORKGROUP_SIZE - 1u)] + cell % 32u, is_found(cell))];
}

// Keeps the entry of a cell, and the padding in front of it, where they are among those of the workgroup.
fn keep_cell(cell: u32, bits: u32) {
  if (!is_found(cell)) {
    return;
  }
  let word = cell / 32u;
  let column = cell % 32u;
  let passed = under_way[word] & ((1u << column) - 1u);
  // Behind the last non-zero.
  var zeros = before[word] + column;
  if (passed != 0u) {
    zeros = column - 1u - firstLeadingBit(passed);
  }
  let place = places[word] + i32(entries_of(passed | (1u << column), before[word])) - 1;
  if (place >= 0 && place < i32(ENTRIES)) {
    keep(u32(place), bits, zeros & ((1u << DELTA_BITS) - 1u));
  }
  let padded = max(0, place - i32(zeros >> DELTA_BITS));
  for (var padding = padded; padding < min(place, i32(ENTRIES)); padding++) {
    keep(u32(padding), 0u, (1u << DELTA_BITS) - 1u);
  }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first = workgroup_index(workgroup_id, num_workgroups) * ENTRIES;
  if (first >= params.places) {
    return;
  }
  let entries = indptr[params.rows];
  if (local_index < 2u) {
    ends[local_index] = 0u;
    if (first < entries) {
      ends[local_index] = word_of(select(first, min(first + ENTRIES, entries) - 1u, local_index == 1u));
    }
  }
  let begin = workgroupUniformLoad(&ends[0]);
  let end = workgroupUniformLoad(&ends[1]) + 1u;
  for (var lot = begin; lot < end; lot += WORKGROUP_SIZE) {
    let own = lot + local_index;
    var mask = 0u;
    if (own < end) {
      mask = masks[own];
    }
    if (mask != 0u) {
      let row = own / params.words;
      let word = own % params.words;
      before[local_index] = 32u * word - passed_before(row * params.words, word);
      places[local_index] = i32(indptr[row] + starts[own] - first);
      firsts[local_index] = row * params.cols + 32u * word;
    }
    under_way[local_index] = mask;
    workgroupBarrier();
    // Several loads are under way at once.
    for (var cell = local_index; cell < 32u * min(WORKGROUP_SIZE, end - lot); cell += 4u * WORKGROUP_SIZE) {
      let bits = vec4(
        bits_of(cell),
        bits_of(cell + WORKGROUP_SIZE),
        bits_of(cell + 2u * WORKGROUP_SIZE),
        bits_of(cell + 3u * WORKGROUP_SIZE),
      );
      keep_cell(cell, bits.x);
      keep_cell(cell + WORKGROUP_SIZE, bits.y);
      keep_cell(cell + 2u * WORKGROUP_SIZE, bits.z);
      keep_cell(cell + 3u * WORKGROUP_SIZE, bits.w);
    }
    workgroupBarrier();
  }
  let first_value = first / VALUES_PER_WORD;
  for (var word = local_index; word < ENTRIES / VALUES_PER_WORD; word += WORKGROUP_SIZE) {
    if (first_value + word < params.places / VALUES_PER_WORD) {
      values[first_value + word] = kept_value(word);
    }
  }
  let per_word = 32u / DELTA_BITS;
  for (var word = local_index; word < ENTRIES / per_word; word += WORKGROUP_SIZE) {
    if (first / per_word + word < params.delta_words) {
      var gaps = 0u;
      for (var i = 0u; i < per_word; i++) {
        gaps |= kept_gap(word * per_word + i) << (DELTA_BITS * i);
      }
      deltas[first / per_word + word] = gaps;
    }
  }
}
