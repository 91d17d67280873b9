import { HARDWARE_2_4, storedShare } from './sliding-sizes.ts';

// Spense, the format of SpenseGPT (J. Lee and others, 2026, arXiv 2606.10445): 2:4 in a part of the columns, dense in the
// rest. Unlike SlideSparse it repeats no column of x. Known here by its bytes and its pruning alone: it has no kernel.

/** The smallest density: 2:4 in all columns. */
export const SPENSE_MIN_DENSITY = 0.5;

/** The share of columns in 2:4 at a density from 0.5 to 1: each leaves half of its weights. */
export function sparseColumns(density: number): number {
  return (1 - density) / (1 - SPENSE_MIN_DENSITY);
}

/** Bytes relative to dense with values of as many bits; NaN below a density of 0.5. 0.78 at 0.75 in f16. */
export function spenseShare(density: number, valueBits: number): number {
  if (!(density >= SPENSE_MIN_DENSITY && density <= 1)) return Number.NaN;
  const sparse = sparseColumns(density);
  return sparse * storedShare(HARDWARE_2_4.window, HARDWARE_2_4, valueBits) + (1 - sparse);
}
