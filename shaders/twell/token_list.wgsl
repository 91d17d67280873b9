// twell/token_list: lists the non-zeros of a token in workgroup memory; each lane reads four consecutive slots of its tile rows.
// Provides: list_columns, list_values, store_overflow, collect.  Requires: WORKGROUP_SIZE.
// Workgroup memory: 32 B per lane and 4 B.

// include twell/token_sizes.wgsl: params
// include twell/packed_entries.wgsl: Entry, overflows_at, entry_at
// include common/workgroup_scan.wgsl: workgroup_scan

var<workgroup> list_columns: array<u32, 4u * WORKGROUP_SIZE>;
var<workgroup> list_values: array<f32, 4u * WORKGROUP_SIZE>;

// Tile rows with lost non-zeros, per token.
@group(0) @binding(4) var<storage, read_write> overflow: array<u32>;

// Tile rows with lost non-zeros that this lane saw, and that its workgroup saw.
var<private> lost_here: u32;
var<workgroup> lost_of_token: atomic<u32>;

// Stores how many tile rows of a token lost non-zeros, after all are collected. Called by all lanes of the workgroup.
fn store_overflow(token: u32, local_index: u32) {
  atomicAdd(&lost_of_token, lost_here);
  workgroupBarrier();
  if (local_index == 0u) {
    overflow[token] = atomicLoad(&lost_of_token);
  }
}

// Lists the non-zeros of a token from slot `first_slot` on, in their order, and returns how many there are.
// Called by all lanes of the workgroup, none of which may still read the list.
fn collect(token: u32, first_slot: u32, local_index: u32) -> u32 {
  let token_slots = params.tiles * params.slots;
  var entries: array<Entry, 4>;
  var count = 0u;
  for (var i = 0u; i < 4u; i++) {
    let slot = first_slot + 4u * local_index + i;
    if (slot < token_slots) {
      entries[i] = entry_at(token, slot);
      // True only at a tile row's first slot, so each tile row is counted once.
      lost_here += u32(overflows_at(token, slot));
    }
    count += u32(entries[i].is_used);
  }
  let scan = workgroup_scan(count, local_index);
  var at = scan.before;
  for (var i = 0u; i < 4u; i++) {
    if (entries[i].is_used) {
      list_columns[at] = entries[i].column;
      list_values[at] = entries[i].value;
      at++;
    }
  }
  workgroupBarrier();
  return scan.total;
}
