// slidesparse/quantise_apart: the first of two passes: activations as signed bytes with one scale per row, four to a word.
// Source: SlideSparse paper, section 4, the way that algorithm 1 replaces. Differs: one scale for both directions.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB.

// include common/quantise_main.wgsl: main
