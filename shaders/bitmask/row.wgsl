// bitmask/row: the arrays of a bitmask matrix.
// Gives: params, mask, row_ptr, y, byte_product.

// include common/values_f16.wgsl or common/values_f32.wgsl: value_at

struct Params {
  rows: u32,
  words_per_row: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Cells 32 i .. 32 i + 31 of the row that the word belongs to, the lowest bit first.
@group(0) @binding(2) var<storage, read> mask: array<u32>;
// Values before row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> row_ptr: array<u32>;
// Columns 4 i .. 4 i + 3. The buffer ends on 16 bytes.
@group(0) @binding(4) var<storage, read> x: array<vec4<f32>>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// Eight cells times x: those of byte `place` (0 to 3) of a mask word that starts at column `column`; `before` values of
// the matrix come before the word. Without branches, so that the loads are under way together: for an empty cell a
// neighbour's value is read and dropped.
fn byte_product(word: u32, place: u32, before: u32, column: u32) -> f32 {
  let shift = 8u * place;
  let bits = (vec4(word >> shift) >> vec4(0u, 1u, 2u, 3u)) & vec4(1u);
  let high_bits = (vec4(word >> shift) >> vec4(4u, 5u, 6u, 7u)) & vec4(1u);
  // The value of a set bit comes after those of the bits below it.
  let a = before + countOneBits(word & ((1u << shift) - 1u));
  let b = a + bits.x;
  let c = b + bits.y;
  let d = c + bits.z;
  let e = d + bits.w;
  let f = e + high_bits.x;
  let g = f + high_bits.y;
  let h = g + high_bits.z;
  // step: product
  let low = vec4(value_at(a), value_at(b), value_at(c), value_at(d)) * x[column / 4u + 2u * place];
  let high = vec4(value_at(e), value_at(f), value_at(g), value_at(h)) * x[column / 4u + 2u * place + 1u];
  return dot(select(vec4(0.0), low, bits == vec4(1u)) + select(vec4(0.0), high, high_bits == vec4(1u)), vec4(1.0));
}
