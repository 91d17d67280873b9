// hybrid/cells_of_slots: where the slots of a hybrid lie in rows in full.
// Gives: elements, cell_of.

// include hybrid/layout_sizes.wgsl: params
// include common/indices.wgsl#16: index_at

fn elements() -> u32 {
  return params.rows * params.slots;
}

fn cell_of(slot: u32) -> u32 {
  return slot / params.slots * params.cols + index_at(slot);
}
