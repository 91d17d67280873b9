// ec-csr/spmv_subgroup: y = A x, a subgroup per block of up to eight rows; every gather of x feeds all rows of its block.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since those of its listing are wrong; sums of blocks that
// meet in a row go to places of their own and are added in a fixed order by ec-csr/sum_rows, not by atomics.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: subgroups.
// Workgroup memory: 0 B.

// include ec-csr/block_by_subgroup.wgsl: main
// include ec-csr/partials.wgsl: target_of, give_sum
