// slidesparse/spmv: y = A x, two rows per workgroup.
// Source: ours; the 2:4 rows of the SlideSparse paper without sparse tensor cores. Differs: activations are lifted by index.

// include slidesparse/matrix.wgsl: params
// include slidesparse/row_pair.wgsl: WORKGROUP_SIZE, ROWS_PER_WORKGROUP, Sums, row_sums, store_sums

// variant subgroup: four pairs of windows in flight, metadata ordered by lane or by window.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 1 KiB.

// include slidesparse/metadata.wgsl#by_lane or #natural: lane_nibbles
// include common/spmv_few_rows.wgsl#subgroup: main

// variant workgroup: summed through workgroup memory.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB.

// include slidesparse/metadata.wgsl#by_lane: lane_nibbles
// include common/spmv_few_rows.wgsl#workgroup: main
