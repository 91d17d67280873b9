// dense/row_quad_i4: the sums of one lane for four neighbouring rows of 4-bit cells, eight bytes (16 cells) at a time. Two
// lanes share a group of 32 columns: lane h = 0 or 1 takes its columns 8 h .. 8 h + 7 and 16 + 8 h .. 16 + 8 h + 7.
// Provides: ROWS_PER_WORKGROUP, Sums, row_sums, store_sums.

// include dense/matrix.wgsl: params, y, WORKGROUP_SIZE, FULL_STEPS
// include dense/vector.wgsl: x, inside
// include common/halves.wgsl: Eight, halves_of
// include common/group_scales.wgsl#at_4: group_scale

const ROWS_PER_WORKGROUP = 4u;

// One sum per row.
alias Sums = vec4<f32>;

// Half a group: 16 cells.
@group(0) @binding(1) var<storage, read> cells: array<vec2<u32>>;

// x of 16 columns, in the order of the cells in the words of half a group.
struct Columns {
  first: Eight,
  second: Eight,
}

// x of columns 4 four .. 4 four + 7 and of the eight columns 16 further on.
fn columns_at(four: u32) -> Columns {
  return Columns(Eight(x[four], x[four + 4u]), Eight(x[four + 1u], x[four + 5u]));
}

// The same for the end of a row: 0 past the last column.
fn columns_inside(four: u32) -> Columns {
  return Columns(
    Eight(inside(x[four], 4u * four), inside(x[four + 4u], 4u * four + 16u)),
    Eight(inside(x[four + 1u], 4u * four + 4u), inside(x[four + 5u], 4u * four + 20u)),
  );
}

// The product of eight 4-bit cells in a word with x of their columns.
fn dot_eight(word: u32, columns: Eight) -> f32 {
  let eight = halves_of(word);
  return dot(eight.low, columns.low) + dot(eight.high, columns.high);
}

// The product of 16 cells, element `at` of `cells`, times the scale of their group.
fn half_sum(at: u32, columns: Columns) -> f32 {
  let words = cells[at];
  // step: product
  return group_scale(at / 2u) * (dot_eight(words.x, columns.first) + dot_eight(words.y, columns.second));
}

fn half_sums(at: vec4<u32>, columns: Columns) -> Sums {
  return vec4(half_sum(at.x, columns), half_sum(at.y, columns), half_sum(at.z, columns), half_sum(at.w, columns));
}

// This lane's part of the sums of four rows from first_row on; past the last row, the last one is read again.
fn row_sums(first_row: u32, local_index: u32) -> Sums {
  let halves = params.stride / 16u;
  let start = min(vec4(first_row) + vec4(0u, 1u, 2u, 3u), vec4(params.rows - 1u)) * halves;
  var sums = Sums(0.0);
  for (var step = 0u; step < FULL_STEPS; step++) {
    let half = step * WORKGROUP_SIZE + local_index;
    sums += half_sums(start + half, columns_at(4u * half - 2u * (half % 2u)));
  }
  for (var half = FULL_STEPS * WORKGROUP_SIZE + local_index; half < halves; half += WORKGROUP_SIZE) {
    sums += half_sums(start + half, columns_inside(4u * half - 2u * (half % 2u)));
  }
  return sums;
}

fn store_sums(first_row: u32, sums: Sums) {
  for (var i = 0u; i < ROWS_PER_WORKGROUP; i++) {
    let row = first_row + i;
    if (row < params.rows) {
      // step: sum
      y[row] = sums[i];
    }
  }
}
