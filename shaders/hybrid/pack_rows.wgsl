// hybrid/pack_rows: two rows packed to the left in workgroup memory: two, because their slots together are whole words of
// values and of indices, so that no other workgroup writes into them.
// Provides: pack_row, packed_pair.  Requires: WORKGROUP_SIZE.  Workgroup memory: 8 B * MOST_SLOTS.

// include hybrid/source.wgsl#full or #full_bf16 or #transposed or #twell: Source, places_in_row, source_at
// include hybrid/sizes.wgsl#layout: params
// include common/workgroup_scan.wgsl: workgroup_scan

// Most slots of a row.
override MOST_SLOTS: u32 = 128u;

// bf16 bits above a column of 16 bits, for every slot of the two rows.
var<workgroup> packed: array<u32, 2u * MOST_SLOTS>;

struct Row {
  count: u32, // non-zeros, also those that have no slot
  magnitude: f32, // of the values that this lane saw, added up
  lost: u32, // places with lost non-zeros that this lane saw
}

// Packs row `row` as the first (0) or second (1) of the two. Called by all lanes of the workgroup.
fn pack_row(which: u32, row: u32, local_index: u32) -> Row {
  var found = Row();
  let places = select(0u, places_in_row(), row < params.rows_out);
  for (var first = 0u; first < places; first += WORKGROUP_SIZE) {
    var source = Source();
    if (first + local_index < places) {
      source = source_at(row, first + local_index);
    }
    let scan = workgroup_scan(u32(source.is_used), local_index);
    let slot = found.count + scan.before;
    if (source.is_used && slot < params.slots_out) {
      packed[which * params.slots_out + slot] = (source.bits << 16u) | source.column;
    }
    found.count += scan.total;
    found.magnitude += abs(bitcast<f32>(source.bits << 16u));
    found.lost += u32(source.is_lost);
  }
  return found;
}

// Slot `i` of the two rows; 0 where it is empty, and in a row that is too long for its slots.
fn packed_slot(i: u32, counts: vec2<u32>) -> u32 {
  let count = counts[i / params.slots_out];
  return select(0u, packed[i], count <= params.slots_out && i % params.slots_out < count);
}

// Two slots as words of values (x) and of indices (y).
fn packed_pair(word: u32, counts: vec2<u32>) -> vec2<u32> {
  let low = packed_slot(2u * word, counts);
  let high = packed_slot(2u * word + 1u, counts);
  return vec2((low >> 16u) | (high & 0xffff0000u), (low & 0xffffu) | (high << 16u));
}
