// bsr/cells_f32: cells of blocks as f32.
// Gives: four_cells.

// Four cells each; the buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> data: array<vec4<f32>>;

fn four_cells(at: u32) -> vec4<f32> {
  return data[at];
}
