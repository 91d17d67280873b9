// slidesparse/matrix: sizes and output of y = A x on SlideSparse windows; other modules read values, metadata and x.
// Provides: params, y, BLOCK.

struct Params {
  rows: u32,
  cols: u32,
  windows: u32, // windows of a row, a multiple of 8
}

@group(0) @binding(0) var<uniform> params: Params;

// One sum per row.
@group(0) @binding(4) var<storage, read_write> y: array<f32>;

// Number of window pairs that 32 lanes compute together, four each: lane l has the pairs l, l + 32, l + 64, l + 96.
const BLOCK = 128u;
