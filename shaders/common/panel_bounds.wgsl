// common/panel_bounds: the rows of a matrix cut into panels of columns, for shares of their entries: all rows of the first
// panel, then all rows of the second. A part of a row takes the place of a row.
// Gives: PANELS, Bounds, bounds_of, starts_at, first_column.
// Takes: params, indptr.

// How many panels there are.
override PANELS: u32 = 2u;
// Columns of a panel, at least 1: ceil(cols / PANELS).
override PANEL_COLS: u32 = 1u;

// The entries of a part, and the columns of its panel that are passed in front of them: below 0, modulo 2^32, where the
// entry in front of them stands before the panel.
struct Bounds {
  begin: u32,
  end: u32,
  passed: u32,
}

// Where part i begins stands at i, for PANELS + 1 panels: it ends where the same row begins in the next one. Behind that
// stands what it has passed. The first part again behind the last.
fn bounds_of(part: u32) -> Bounds {
  let at = min(part, PANELS * params.rows - 1u);
  return Bounds(indptr[at], indptr[at + params.rows], indptr[at + (PANELS + 1u) * params.rows]);
}

// Where the shares stand.
fn starts_at() -> u32 {
  return (2u * PANELS + 1u) * params.rows;
}

// The first column of x that a workgroup needs which begins with this part.
fn first_column(part: u32) -> u32 {
  return min(part / params.rows, PANELS - 1u) * PANEL_COLS;
}
