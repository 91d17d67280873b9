// bsr/cells: reads four neighbouring cells of a block, stored as f16, f32 or i8.

// variant f16: two in a u32, the lower half first.
// Provides: four_cells.

// Four cells per element; the size of the buffer is a multiple of 8 bytes.
@group(0) @binding(1) var<storage, read> data: array<vec2<u32>>;

fn four_cells(at: u32) -> vec4<f32> {
  let words = data[at];
  return vec4(unpack2x16float(words.x), unpack2x16float(words.y));
}

// variant f32: one in a u32.
// Provides: four_cells.

// Four cells per element; the size of the buffer is a multiple of 16 bytes.
@group(0) @binding(1) var<storage, read> data: array<vec4<f32>>;

fn four_cells(at: u32) -> vec4<f32> {
  return data[at];
}

// variant i8: signed bytes, four in a u32, the lowest byte first, to be multiplied by the scale of their row.
// Provides: four_cells.

// Four cells per element.
@group(0) @binding(1) var<storage, read> data: array<u32>;

fn four_cells(at: u32) -> vec4<f32> {
  return vec4<f32>(unpack4xI8(data[at]));
}
