// bsr/cells_f16: cells of blocks as f16, two in a u32, the lower half first.
// Gives: four_cells.

// Four cells each; the buffer ends on 8 bytes.
@group(0) @binding(1) var<storage, read> data: array<vec2<u32>>;

fn four_cells(at: u32) -> vec4<f32> {
  let words = data[at];
  return vec4(unpack2x16float(words.x), unpack2x16float(words.y));
}
