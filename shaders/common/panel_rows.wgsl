// common/panel_rows: parts of rows as common/panel_bounds cuts them, whose sums are stored by themselves.
// Gives: Bounds, bounds_of, starts_at, first_column, store_sum.
// Takes: y, params, row_scale.

// include common/panel_bounds.wgsl: Bounds, bounds_of, starts_at, first_column

fn store_sum(part: u32, sum: f32) {
  y[part] = sum * row_scale(part % params.rows);
}
