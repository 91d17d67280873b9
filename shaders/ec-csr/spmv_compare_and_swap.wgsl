// ec-csr/spmv_compare_and_swap: y = A x, a subgroup per block of up to eight rows, sums added to y as the blocks end.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since those of its listing are wrong; compare-and-swap in
// the place of the atomic sum of f32 that WGSL does not have. The order of sums, and so the rounding, is not fixed.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: subgroups.
// Workgroup memory: 0 B.

// include ec-csr/block_by_subgroup.wgsl: main
// include ec-csr/compare_and_swap.wgsl: target_of, give_sum
