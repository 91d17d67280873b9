// dense/row_quad: the sums of one lane for four neighbouring rows; the kernels differ in how they sum over lanes.
// Provides: ROWS_PER_WORKGROUP, Sums, row_sums, store_sums.

// include dense/matrix.wgsl: params, y, WORKGROUP_SIZE, FULL_STEPS
// include dense/vector.wgsl: x, inside
// include common/values.wgsl#i8: load_values
// include common/row_scale.wgsl#at_4: row_scale

const ROWS_PER_WORKGROUP = 4u;

// One sum per row.
alias Sums = vec4<f32>;

// This lane's part of the rows from first_row on; past the last row, the last one is read again.
fn row_sums(first_row: u32, local_index: u32) -> Sums {
  let groups = params.stride / 8u;
  let start = min(vec4(first_row) + vec4(0u, 1u, 2u, 3u), vec4(params.rows - 1u)) * groups;
  var sums = Sums(0.0);
  for (var step = 0u; step < FULL_STEPS; step++) {
    let group = step * WORKGROUP_SIZE + local_index;
    let a = load_values(start.x + group);
    let b = load_values(start.y + group);
    let c = load_values(start.z + group);
    let d = load_values(start.w + group);
    let low = x[2u * group];
    let high = x[2u * group + 1u];
    // step: product
    sums += vec4(
      dot(a.low, low) + dot(a.high, high),
      dot(b.low, low) + dot(b.high, high),
      dot(c.low, low) + dot(c.high, high),
      dot(d.low, low) + dot(d.high, high),
    );
  }
  for (var group = FULL_STEPS * WORKGROUP_SIZE + local_index; group < groups; group += WORKGROUP_SIZE) {
    let a = load_values(start.x + group);
    let b = load_values(start.y + group);
    let c = load_values(start.z + group);
    let d = load_values(start.w + group);
    let low = inside(x[2u * group], 8u * group);
    let high = inside(x[2u * group + 1u], 8u * group + 4u);
    sums += vec4(
      dot(a.low, low) + dot(a.high, high),
      dot(b.low, low) + dot(b.high, high),
      dot(c.low, low) + dot(c.high, high),
      dot(d.low, low) + dot(d.high, high),
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
