// dense/matrix: sizes and output of y = A x; another module reads the values of each type.
// Provides: params, y, WORKGROUP_SIZE, FULL_STEPS.

struct Params {
  rows: u32,
  cols: u32,
  stride: u32, // elements from one row to the next, a multiple of 8
}

@group(0) @binding(0) var<uniform> params: Params;

// One sum per row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Steps in which every lane has a part of the row, all its columns there: 8 of them, in i4 half a group, two groups of
// digits. That is floor(parts / WORKGROUP_SIZE).
override FULL_STEPS: u32 = 0u;
