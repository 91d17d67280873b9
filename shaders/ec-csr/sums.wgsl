// ec-csr/sums: the sums of a block go to separate places, by row; ec-csr/sum_rows adds them up.
// Gives: target_of, give_sum.

// Per row of a block, in the order of rowIndices: the place of its sum among the partial sums of all rows.
@group(0) @binding(5) var<storage, read> places: array<u32>;
// The sums, those of one row one after the other.
@group(0) @binding(7) var<storage, read_write> partials: array<f32>;

// Where the sum of a block row goes.
fn target_of(block_row: u32) -> u32 {
  return places[block_row];
}

fn give_sum(place: u32, sum: f32) {
  // step: partials
  partials[place] = sum;
}
