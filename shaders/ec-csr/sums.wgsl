// ec-csr/sums: stores the sums of a block separately, by row; ec-csr/sum_rows adds them up.
// Provides: target_of, give_sum.

// Per row of a block, in the order of rowIndices: the position of its sum among the partial sums of all rows.
@group(0) @binding(5) var<storage, read> places: array<u32>;
// The sums, row by row.
@group(0) @binding(7) var<storage, read_write> partials: array<f32>;

// Where the sum of a block row goes.
fn target_of(block_row: u32) -> u32 {
  return places[block_row];
}

fn give_sum(place: u32, sum: f32) {
  // step: partials
  partials[place] = sum;
}
