// dense/row_quad_digits: the sums of one lane for four neighbouring rows of 4-bit cells, a group of 32 columns at a time, with
// x in block floating point, four int8 limbs (digits) per mantissa: exact integers until the scales of a group.
// Provides: ROWS_PER_WORKGROUP, Sums, row_sums, store_sums.

// include dense/matrix.wgsl: params, y, WORKGROUP_SIZE, FULL_STEPS
// include dense/digit_places.wgsl: digit_place, NEXT_FOUR

const ROWS_PER_WORKGROUP = 4u;

// One sum per row.
alias Sums = vec4<f32>;

// A group: 32 cells.
@group(0) @binding(1) var<storage, read> cells: array<vec4<u32>>;
// Component d: limb d of four columns, in the order of dense/digit_places.
@group(0) @binding(2) var<storage, read> digits: array<vec4<u32>>;
// Of four rows, in the order of their groups: the f16 scales of each row's group, the first row in the lowest half. One load
// instead of four.
@group(0) @binding(4) var<storage, read> scales: array<vec2<u32>>;
// The shared scale of a group of columns, divided by 16.
@group(0) @binding(5) var<storage, read> units: array<f32>;

// Adds the products of eight cells with each limb. The cells are times 16: in the upper half of a byte, and with its
// uppermost bit flipped, a half is 16 * (half - 8) as a signed byte.
fn add_products(sums: vec4<i32>, word: u32, low: vec4<u32>, high: vec4<u32>) -> vec4<i32> {
  let of_low = ((word << 4u) & 0xf0f0f0f0u) ^ 0x80808080u;
  let of_high = (word & 0xf0f0f0f0u) ^ 0x80808080u;
  return vec4(
    sums.x + dot4I8Packed(of_low, low.x) + dot4I8Packed(of_high, high.x),
    sums.y + dot4I8Packed(of_low, low.y) + dot4I8Packed(of_high, high.y),
    sums.z + dot4I8Packed(of_low, low.z) + dot4I8Packed(of_high, high.z),
    sums.w + dot4I8Packed(of_low, low.w) + dot4I8Packed(of_high, high.w),
  );
}

// Combines the sums of the limbs. The sum of 32 products of a limb has at most 19 bits, so that two of them fit 32 bits.
fn total(sums: vec4<i32>) -> f32 {
  return fma(f32(sums.w * 256 + sums.z), 65536.0, f32(sums.y * 256 + sums.x));
}

// The products of group number `group` of four rows, whose groups begin at `start`, and their scales at `start_of_scales`.
fn group_sums(start: vec4<u32>, start_of_scales: u32, group: u32) -> Sums {
  let at = start + group;
  let a = cells[at.x];
  let b = cells[at.y];
  let c = cells[at.z];
  let d = cells[at.w];
  let scale = scales[start_of_scales + group];
  let place = digit_place(group);
  var low = digits[place];
  var high = digits[place + 4u * NEXT_FOUR];
  var of_a = add_products(vec4(0), a.x, low, high);
  var of_b = add_products(vec4(0), b.x, low, high);
  var of_c = add_products(vec4(0), c.x, low, high);
  var of_d = add_products(vec4(0), d.x, low, high);
  low = digits[place + NEXT_FOUR];
  high = digits[place + 5u * NEXT_FOUR];
  of_a = add_products(of_a, a.y, low, high);
  of_b = add_products(of_b, b.y, low, high);
  of_c = add_products(of_c, c.y, low, high);
  of_d = add_products(of_d, d.y, low, high);
  low = digits[place + 2u * NEXT_FOUR];
  high = digits[place + 6u * NEXT_FOUR];
  of_a = add_products(of_a, a.z, low, high);
  of_b = add_products(of_b, b.z, low, high);
  of_c = add_products(of_c, c.z, low, high);
  of_d = add_products(of_d, d.z, low, high);
  low = digits[place + 3u * NEXT_FOUR];
  high = digits[place + 7u * NEXT_FOUR];
  of_a = add_products(of_a, a.w, low, high);
  of_b = add_products(of_b, b.w, low, high);
  of_c = add_products(of_c, c.w, low, high);
  of_d = add_products(of_d, d.w, low, high);
  let totals = vec4(total(of_a), total(of_b), total(of_c), total(of_d)) * units[group];
  return totals * vec4(unpack2x16float(scale.x), unpack2x16float(scale.y));
}

// This lane's part of the rows from first_row on; past the last row, the last one is read again.
fn row_sums(first_row: u32, local_index: u32) -> Sums {
  let groups = params.stride / 32u;
  let start = min(vec4(first_row) + vec4(0u, 1u, 2u, 3u), vec4(params.rows - 1u)) * groups;
  let start_of_scales = first_row / ROWS_PER_WORKGROUP * groups;
  var sums = Sums(0.0);
  for (var step = 0u; step < FULL_STEPS; step++) { // two groups, so that their loads are in flight together
    let group = 2u * step * WORKGROUP_SIZE + local_index;
    sums += group_sums(start, start_of_scales, group);
    sums += group_sums(start, start_of_scales, group + WORKGROUP_SIZE);
  }
  for (var group = 2u * FULL_STEPS * WORKGROUP_SIZE + local_index; group < groups; group += WORKGROUP_SIZE) {
    sums += group_sums(start, start_of_scales, group);
  }
  return sums;
}

fn store_sums(first_row: u32, sums: Sums) {
  for (var i = 0u; i < ROWS_PER_WORKGROUP; i++) {
    let row = first_row + i;
    if (row < params.rows) {
      y[row] = sums[i];
    }
  }
}
