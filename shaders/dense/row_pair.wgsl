// dense/row_pair: the sums of one lane for two neighbouring rows; the kernels differ in how they sum over lanes.
// Provides: ROWS_PER_WORKGROUP, Sums, row_sums, store_sums.

// include dense/matrix.wgsl: params, y, WORKGROUP_SIZE, FULL_STEPS
// include dense/vector.wgsl: x, inside
// include common/values.wgsl#f16 or #f32: load_values
// include common/row_scale.wgsl#none: row_scale

const ROWS_PER_WORKGROUP = 2u;

// One sum per row.
alias Sums = vec2<f32>;

// This lane's part of the rows from first_row on; past the last row, the last one is read again.
fn row_sums(first_row: u32, local_index: u32) -> Sums {
  let groups = params.stride / 8u;
  let start = min(vec2(first_row) + vec2(0u, 1u), vec2(params.rows - 1u)) * groups;
  var sums = Sums(0.0);
  for (var step = 0u; step < FULL_STEPS; step++) {
    let group = step * WORKGROUP_SIZE + local_index;
    let a = load_values(start.x + group);
    let b = load_values(start.y + group);
    let low = x[2u * group];
    let high = x[2u * group + 1u];
    // step: product
    sums += vec2(
      dot(a.low, low) + dot(a.high, high),
      dot(b.low, low) + dot(b.high, high),
    );
  }
  for (var group = FULL_STEPS * WORKGROUP_SIZE + local_index; group < groups; group += WORKGROUP_SIZE) {
    let a = load_values(start.x + group);
    let b = load_values(start.y + group);
    let low = inside(x[2u * group], 8u * group);
    let high = inside(x[2u * group + 1u], 8u * group + 4u);
    sums += vec2(
      dot(a.low, low) + dot(a.high, high),
      dot(b.low, low) + dot(b.high, high),
    );
  }
  return sums;
}

fn store_sums(first_row: u32, sums: Sums) {
  for (var i = 0u; i < ROWS_PER_WORKGROUP; i++) {
    let row = first_row + i;
    if (row < params.rows) {
      // step: sum
      y[row] = sums[i] * row_scale(row);
    }
  }
}
