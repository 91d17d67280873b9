// slidesparse/spmv_natural: y = A x, two rows per workgroup, four pairs of windows in flight, metadata in the order of windows.
// Source: ours; the 2:4 rows of the SlideSparse paper without sparse tensor cores. Differs: activations are lifted by index.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 1 KiB.

// include slidesparse/pair_by_subgroup.wgsl: main
// include slidesparse/metadata.wgsl#natural: lane_nibbles
