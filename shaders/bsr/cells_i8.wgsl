// bsr/cells_i8: cells of blocks as signed bytes, four in a u32, the lowest byte first, to be multiplied by the scale of
// their row.
// Gives: four_cells.

// Four cells each.
@group(0) @binding(1) var<storage, read> data: array<u32>;

fn four_cells(at: u32) -> vec4<f32> {
  return vec4<f32>(unpack4xI8(data[at]));
}
