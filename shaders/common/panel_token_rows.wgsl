// common/panel_token_rows: parts of rows as common/panel_bounds cuts them, whose sums with several tokens are stored by
// themselves: all tokens of the first panel, then all of the second.
// Gives: Bounds, bounds_of, starts_at, first_column, store_sum.
// Takes: params, row_scale, Sum, store_tokens.

// include common/panel_bounds.wgsl: PANELS, Bounds, bounds_of, starts_at, first_column
// include common/own_tokens.wgsl: TOKENS

fn store_sum(part: u32, sum: Sum) {
  let row = part % params.rows;
  store_tokens(min(part / params.rows, PANELS - 1u) * TOKENS * params.rows + row, sum * row_scale(row));
}
