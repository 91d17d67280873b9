// macko/convert_starts: how many entries MACKO makes of rows of which it is known where they are not 0: of every row, and in
// front of every 32 columns of it. A workgroup per row, whose lanes take neighbouring columns.
// Source: MACKO paper, section 3. Differs: on the device, by prefix sums.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 8 B per lane.
// Gives: WORKGROUP_SIZE.

// include common/workgroup_index.wgsl: workgroup_index
// include common/workgroup_scan.wgsl: workgroup_scan
// include macko/convert_sizes.wgsl: params

// Bit i of word w of a row: column 32 w + i is not 0. One row after the other.
@group(0) @binding(1) var<storage, read> masks: array<u32>;
// Entries of the row in front of these 32 columns, likewise.
@group(0) @binding(2) var<storage, read_write> starts: array<u32>;
// Entries of each row.
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;
// Bits of a gap.
override DELTA_BITS: u32 = 4u;

// Entries of the non-zeros among 32 columns, of which there is one at least: there are `before` zeros between the row's last
// non-zero, or its beginning, and these columns.
fn entries_of(mask: u32, before: u32) -> u32 {
  let first = countTrailingZeros(mask);
  var rest = mask >> first;
  var entries = countOneBits(mask) + ((before + first) >> DELTA_BITS);
  // Zeros between two of them, and of these the ones that begin a run as long as a gap reaches.
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

// Columns of the row up to the last non-zero in front of word `end`; 0 where there is none.
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
  // First in front of which entry of the lane each word is, then in front of which of the row.
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
