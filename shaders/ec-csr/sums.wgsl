// ec-csr/sums: where the sums of a block go.

// variant partials: to separate places, by row; ec-csr/sum_rows adds them up.
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

// variant compare_and_swap: added to y at once, in whatever order the blocks end.
// Gives: target_of, give_sum.

// The matrix row of every row of a block.
@group(0) @binding(5) var<storage, read> rowIndices: array<u32>;
// Bits of one f32 sum per row, cleared before.
@group(0) @binding(7) var<storage, read_write> y: array<atomic<u32>>;

// Where the sum of a block row goes.
fn target_of(block_row: u32) -> u32 {
  return rowIndices[block_row];
}

// WGSL has no atomic sum of f32: try until nobody else was faster.
fn give_sum(row: u32, sum: f32) {
  var old = atomicLoad(&y[row]);
  loop {
    let swap = atomicCompareExchangeWeak(&y[row], old, bitcast<u32>(bitcast<f32>(old) + sum));
    if (swap.exchanged) {
      break;
    }
    old = swap.old_value;
  }
}
