// dense/quantise: activations as signed bytes with one scale per row, four to a word.
// Source: SlideSparse paper, algorithm 1 without lifting. Differs: one scale for both directions; exact integers on every device.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB.

// include common/quantise_main.wgsl: main
