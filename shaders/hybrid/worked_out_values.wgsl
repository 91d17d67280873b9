// hybrid/worked_out_values: what an earlier pass made of every entry.
// Gives: factor_at.

// include hybrid/block_sizes.wgsl: params

// One or more planes of all entries.
@group(0) @binding(1) var<storage, read> flow: array<f32>;

fn factor_at(entry: u32) -> f32 {
  return flow[params.plane + entry];
}
