// common/row_scale: the factor of the values of a row. Its binding comes after the output, so that the other bindings have the
// same numbers with and without it.

// variant none: values are not scaled.
// Provides: row_scale.

fn row_scale(row: u32) -> f32 {
  return 1.0;
}

// variant at_4 or at_5 or at_6 or at_7: the quantisation step of the row, from the binding after the output.
// Provides: row_scale.

fn row_scale(row: u32) -> f32 {
  return scales[row];
}

// variant at_4: binding 4, one factor per row.
@group(0) @binding(4) var<storage, read> scales: array<f32>;

// variant at_5: binding 5, one factor per row.
@group(0) @binding(5) var<storage, read> scales: array<f32>;

// variant at_6: binding 6, one factor per row.
@group(0) @binding(6) var<storage, read> scales: array<f32>;

// variant at_7: binding 7, one factor per row.
@group(0) @binding(7) var<storage, read> scales: array<f32>;
