// macko/convert_rows: where rows begin: one workgroup adds up their entries, several rows per lane at a time.
// Source: MACKO paper, section 3. Differs: on the device, by prefix sums.
// Lanes: any; subgroups are not used.
// Dispatch: x = 1.  Needs: nothing.  Workgroup memory: 8 B per lane.
// Gives: WORKGROUP_SIZE.

// include common/workgroup_scan.wgsl: workgroup_scan
// include macko/convert_sizes.wgsl: params

// Entries of each row.
@group(0) @binding(1) var<storage, read> counts: array<u32>;
// First entry of each row, and after them the number of all entries.
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
