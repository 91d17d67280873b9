// macko/spmv_subgroup_x16: y = A x, one subgroup per row, x from global memory as f16: half the lines of the cache.
// Source: MACKO paper, section 4.4. Differs: two steps share one scan by shuffles; row edges masked by ordinal, so that
// Inf and NaN in x reach no other row, and only in the first and the last steps of a row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.
// Gives: x_at.

// include macko/subgroup_per_row.wgsl: main

// Columns 2 i and 2 i + 1 as f16, the lower half first.
@group(0) @binding(4) var<storage, read> x: array<u32>;

fn x_at(column: u32) -> f32 {
  return unpack2x16float(x[column >> 1u] >> (16u * (column & 1u))).x;
}
