// common/rows_of_words: the rows of a matrix, for shares of their entries, where a row has a number of words beside its
// entries: what is passed in front of a row are the words of the rows before it.
// Gives: Bounds, bounds_of, starts_at, first_column, store_sum.
// Takes: params, indptr, y, row_scale, words_per_row.

// The entries of a row, and the words that are passed in front of it.
struct Bounds {
  begin: u32,
  end: u32,
  passed: u32,
}

// An empty one behind the last row.
fn bounds_of(row: u32) -> Bounds {
  return Bounds(indptr[min(row, params.rows)], indptr[min(row + 1u, params.rows)], row * words_per_row());
}

// Where the shares stand: behind the rows + 1 row starts.
fn starts_at() -> u32 {
  return params.rows + 1u;
}

// The first column of x that a workgroup needs which begins with this row.
fn first_column(_row: u32) -> u32 {
  return 0u;
}

fn store_sum(row: u32, sum: f32) {
  y[row] = sum * row_scale(row);
}
