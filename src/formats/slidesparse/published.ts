import type { HalfGroup } from './params.ts';

/**
 * Speed over dense that the authors published: int8 GEMM kernels of Qwen2.5-7B at M = 16384 on an A100 with sparse tensor
 * cores. Source: SlideSparse paper, kernel table.
 */
export const PUBLISHED_SPEEDUPS: ReadonlyMap<HalfGroup, number> = new Map([
  [2, 2.07],
  [3, 1.52],
  [4, 1.42],
  [5, 1.32],
]);
