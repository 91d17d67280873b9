// ec-csr/x: reads x by column, from global memory or from a copy in workgroup memory.

// variant cached: x in global memory, read through the cache.
// Provides: x_at.

// One per column of the matrix.
@group(0) @binding(6) var<storage, read> x: array<f32>;

fn x_at(column: u32) -> f32 {
  return x[column];
}

// variant in_eights: x in workgroup memory as f32, copied eight elements per lane and iteration.
// Provides: x_at, copy_x.  Requires: WORKGROUP_SIZE.

// Columns of the matrix, at least 1.
override COLS: u32 = 1u;
// Elements that a lane copies: ceil(COLS / WORKGROUP_SIZE).
override COPIES: u32 = 1u;

// One per column of the matrix.
@group(0) @binding(6) var<storage, read> x: array<f32>;

var<workgroup> staged: array<f32, COLS>;

fn x_at(column: u32) -> f32 {
  return staged[column];
}

// The column of a lane's copy number `copy`; past the last column, the last one again.
fn copied_place(copy: u32, local_index: u32) -> u32 {
  return min(local_index + copy * WORKGROUP_SIZE, COLS - 1u);
}

fn load_copy(copy: u32, local_index: u32) -> f32 {
  if (copy < COPIES) {
    return x[copied_place(copy, local_index)];
  }
  return 0.0;
}

fn keep_copy(copy: u32, local_index: u32, element: f32) {
  if (copy < COPIES) {
    staged[copied_place(copy, local_index)] = element;
  }
}

// Copies eight elements, whose loads are in flight together.
fn copy_eight(copy: u32, local_index: u32) {
  let a = load_copy(copy, local_index);
  let b = load_copy(copy + 1u, local_index);
  let c = load_copy(copy + 2u, local_index);
  let d = load_copy(copy + 3u, local_index);
  let e = load_copy(copy + 4u, local_index);
  let f = load_copy(copy + 5u, local_index);
  let g = load_copy(copy + 6u, local_index);
  let h = load_copy(copy + 7u, local_index);
  keep_copy(copy, local_index, a);
  keep_copy(copy + 1u, local_index, b);
  keep_copy(copy + 2u, local_index, c);
  keep_copy(copy + 3u, local_index, d);
  keep_copy(copy + 4u, local_index, e);
  keep_copy(copy + 5u, local_index, f);
  keep_copy(copy + 6u, local_index, g);
  keep_copy(copy + 7u, local_index, h);
}

// Copies x to workgroup memory. Called by all lanes of the workgroup; a barrier has to follow. The first eight copies are
// outside the loop, which most matrices do not need.
fn copy_x(local_index: u32) {
  copy_eight(0u, local_index);
  for (var copy = 8u; copy < COPIES; copy += 8u) {
    copy_eight(copy, local_index);
  }
}
