import type { BenchEntry } from '../../../../engine/bench/bench-types.ts';

/** One density to measure at once. */
export interface LiveRequest {
  /** share of non-zeros, from 0 to 1 */
  readonly density: number;
  /** at most 4096, the default */
  readonly rows?: number;
  readonly cols?: number;
  readonly seed?: number;
  /** formats besides dense, with parameters that differ from their defaults; default: all with a kernel of y = A x */
  readonly entries?: readonly Pick<BenchEntry, 'format' | 'params'>[];
}
