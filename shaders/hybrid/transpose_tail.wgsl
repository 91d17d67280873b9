// hybrid/transpose_tail: the tail of the transposed hybrid, a lane for two cells.
// Source: TwELL paper, listing 7. Differs: a pass of its own, so that no two lanes write into a word.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(tail_capacity * cols_out / 2 / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.
// Gives: tail_rows, tail_out.

// include hybrid/tail_cells.wgsl: main

// Row of each tail row, or all ones for a free one; read alone, but it shares its buffer with what is written.
@group(0) @binding(6) var<storage, read_write> tail_rows: array<u32>;
// Two cells each, the first in the lower half.
@group(0) @binding(7) var<storage, read_write> tail_out: array<u32>;
