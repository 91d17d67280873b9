// bitmask/gemm_by_row: Y = X A^T for up to 16 tokens, several lanes per row; x has four tokens side by side, so that
// a value's column is found once for them.
// Source: the bitmap decoding of SpInfer, section 4. Differs: without tensor cores; lanes take values and walk the set bits
// from the first column of each eight, which is stored; without subgroups, a workgroup per row.
// Provides: row_quads.

// include bitmask/matrix.wgsl: params, mask, indptr, y, words_per_row, bits_from
// include common/values.wgsl#f16 or #f32 or #i8 or #i4_entries: load_values, value_at
// include bitmask/group_columns.wgsl#16 or #32: group_column
// include bitmask/set_bits.wgsl: lowest_bit, without_lowest_bit, wide_from, is_left, next_wide, far_from, next_far
// include common/token_quads.wgsl: Quads, add_entry, add_eight
// include common/row_scale.wgsl#none or #at_7: row_scale

// The columns of a group of eight values.
struct Columns {
  low: vec4<u32>, // of values 0 to 3 of the group
  high: vec4<u32>, // of values 4 to 7
  found: bool, // whether all eight were found
}

// The columns of the eight lowest of 32 bits, counted from `column` on.
fn near_columns(bits: u32, column: u32) -> Columns {
  let b = without_lowest_bit(bits);
  let c = without_lowest_bit(b);
  let d = without_lowest_bit(c);
  let e = without_lowest_bit(d);
  let f = without_lowest_bit(e);
  let g = without_lowest_bit(f);
  let h = without_lowest_bit(g);
  return Columns(
    column + vec4(lowest_bit(bits), lowest_bit(b), lowest_bit(c), lowest_bit(d)),
    column + vec4(lowest_bit(e), lowest_bit(f), lowest_bit(g), lowest_bit(h)),
    h != 0u,
  );
}

// The same in 64 columns.
fn wide_columns(row_word: u32, column: u32) -> Columns {
  var left = wide_from(row_word, column);
  let a = next_wide(&left);
  let b = next_wide(&left);
  let c = next_wide(&left);
  let d = next_wide(&left);
  let e = next_wide(&left);
  let f = next_wide(&left);
  let g = next_wide(&left);
  let found = is_left(left);
  return Columns(vec4(a, b, c, d), vec4(e, f, g, next_wide(&left)), found);
}

// Values of a group one by one: from `begin` to before `end`, all of one row, over as many words of the mask as needed.
fn add_slowly(sums: ptr<function, Quads>, group: u32, begin: u32, end: u32, row_word: u32) {
  // If the group begins in a row before, this row begins with its first column.
  var left = far_from(row_word, select(group_column(group), 0u, 8u * group < begin));
  let last = min(end, 8u * group + 8u);
  for (var i = max(begin, 8u * group); i < last; i++) {
    add_entry(sums, value_at(i), next_far(&left, row_word));
  }
}

// This lane's part of a row: every `lanes`-th group of eight, counted from the group with the first value.
fn row_quads(row: u32, lane: u32, lanes: u32) -> Quads {
  let begin = indptr[row];
  let end = indptr[row + 1u];
  let row_word = row * words_per_row();
  var sums = Quads();
  // Loaded an iteration ahead, since the address in the mask depends on it.
  var next = group_column(begin / 8u + lane);
  for (var group = begin / 8u + lane; 8u * group < end; group += lanes) {
    let values = load_values(group);
    let column = next;
    let bits = bits_from(row_word, column);
    next = group_column(group + lanes);
    // Whether all eight values belong to this row.
    let is_own = 8u * group >= begin && 8u * group + 8u <= end;
    var columns = near_columns(bits, column);
    if (is_own && !columns.found) {
      columns = wide_columns(row_word, column);
    }
    if (is_own && columns.found) {
      add_eight(&sums, values, columns.low, columns.high);
    } else {
      add_slowly(&sums, group, begin, end, row_word);
    }
  }
  return sums;
}

// variant subgroup: one subgroup per row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/gemm_by_row.wgsl#subgroup: main

// variant workgroup: one workgroup per row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 16 B per lane.

// include common/gemm_by_row.wgsl#workgroup: main
