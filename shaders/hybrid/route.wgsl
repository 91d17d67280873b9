// hybrid/route: assigns tail rows to the long rows: one workgroup goes through the counts in the order of the rows.
// Source: TwELL paper, listing 4. Differs: prefix sums, where an atomic counter leaves the order open; a tail that is full
// rejects further rows, as the counts show.
// Lanes: any; subgroups are not used.
// Dispatch: x = 1.  Needs: nothing.  Workgroup memory: 8 B per lane.
// Provides: WORKGROUP_SIZE.

// include hybrid/sizes.wgsl#layout: params
// include common/workgroup_scan.wgsl: workgroup_scan

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;

const NOWHERE = 0xffffffffu;

// Non-zeros of each row; only read, but in the buffer of an output.
@group(0) @binding(1) var<storage, read_write> counts_out: array<u32>;
// Tail row of each row, or NOWHERE.
@group(0) @binding(2) var<storage, read_write> tail_map_out: array<u32>;
// Row of each tail row, or NOWHERE.
@group(0) @binding(3) var<storage, read_write> tail_rows: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local_index: u32) {
  var used = 0u;
  for (var first = 0u; first < params.rows_out; first += WORKGROUP_SIZE) {
    let row = first + local_index;
    var is_long = false;
    if (row < params.rows_out) {
      is_long = counts_out[row] > params.slots_out;
    }
    let scan = workgroup_scan(u32(is_long), local_index);
    let place = used + scan.before;
    let has_room = is_long && place < params.tail_capacity;
    if (row < params.rows_out) {
      tail_map_out[row] = select(NOWHERE, place, has_room);
      tell(row, is_long && !has_room, counts_out[row]);
    }
    if (has_room) {
      tail_rows[place] = row;
    }
    used += scan.total;
  }
  for (var place = used + local_index; place < params.tail_capacity; place += WORKGROUP_SIZE) {
    tail_rows[place] = NOWHERE;
  }
}

// variant silent: nothing more is written, since the counts show which rows did not fit.

// Writes nothing. Called for every row, with its number of non-zeros.
fn tell(row: u32, is_lost: bool, count: u32) {
}

// variant reporting: writes the rows that did not fit, for a kernel that does not output the counts.

// Non-zeros of each row that did not fit, 0 for every other.
@group(0) @binding(4) var<storage, read_write> lost: array<u32>;

fn tell(row: u32, is_lost: bool, count: u32) {
  lost[row] = select(0u, count, is_lost);
}
