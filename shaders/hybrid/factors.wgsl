// hybrid/factors: the numbers by which the entries of a hybrid matrix multiply rows.

// variant stored: the values of the entries, from slots or from the tail.
// Provides: value_bits, factor_at.  Requires: params.

// include hybrid/pattern.wgsl: cell_of_tail
// include common/values.wgsl#bf16: value_at

// The bits of an f32.
fn value_bits(entry: u32) -> u32 {
  let in_slots = params.rows * params.slots;
  if (entry >= in_slots) {
    return cell_of_tail(entry - in_slots);
  }
  return bitcast<u32>(value_at(entry));
}

fn factor_at(entry: u32) -> f32 {
  return bitcast<f32>(value_bits(entry));
}

// variant computed: numbers that an earlier pass computed for every entry.
// Provides: factor_at.

// include hybrid/sizes.wgsl#block: params

// One number for each entry; there may be several such planes, and params.plane is where the current one begins.
@group(0) @binding(1) var<storage, read> flow: array<f32>;

fn factor_at(entry: u32) -> f32 {
  return flow[params.plane + entry];
}
