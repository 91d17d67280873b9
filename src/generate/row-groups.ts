import type { Steps } from '../core/job.ts';
import type { CsrMatrix } from '../core/matrix/index.ts';
import { Random } from '../core/number/random.ts';
import { assemble } from './assemble.ts';
import type { CheckedSpec } from './pattern.ts';
import { rowSeed, STREAM, streamSeed } from './seeds.ts';
import { shuffledOrder } from './shuffle.ts';

/** How rows form groups, whose rows have non-zeros in the same columns. */
export interface RowGroups {
  /** rows of a group; the last group may have fewer */
  readonly groupRows: number;
  /** whether the rows of a group are scattered over the matrix, or adjacent */
  readonly scattered: boolean;
  /** share of the non-zeros that belong to no group, from 0 to 1 */
  readonly noise: number;
  /** chooses the `count` columns that all rows of one group have, ascending */
  chooseColumns(count: number, random: Random): Uint32Array;
}

/** A random matrix in which the rows of a group share columns, with further non-zeros in random columns (`noise`). */
export function assembleGroups(spec: CheckedSpec, groups: RowGroups): Steps<CsrMatrix> {
  const { rows, cols, density, seed } = spec;
  const { groupRows, scattered, noise } = groups;
  const random = new Random(streamSeed(seed, STREAM.arrangement));
  const order = scattered ? shuffledOrder(rows, random) : Uint32Array.from({ length: rows }, (_, row) => row);
  const groupOf = new Uint32Array(rows);
  order.forEach((row, place) => (groupOf[row] = Math.floor(place / groupRows)));

  const shared = density * (1 - noise) * cols;
  const elsewhere = cols > shared ? (density * noise * cols) / (cols - shared) : 0;
  const columnsOf: Uint32Array[] = [];
  const sharedColumns = (group: number): Uint32Array => {
    // Whole numbers that add up to the exact share over all groups.
    const count = Math.floor((group + 1) * shared) - Math.floor(group * shared);
    columnsOf[group] ??= groups.chooseColumns(count, new Random(rowSeed(seed, group)));
    return columnsOf[group];
  };
  const noisy = new Uint32Array(cols + 1);
  return assemble(spec, (row, sampler, into) => {
    const noiseCount = sampler.choose(0, cols, elsewhere, noisy, 0);
    return union(sharedColumns(groupOf[row]), noisy.subarray(0, noiseCount), into);
  });
}

/** Writes the union of `a` and `b`, both ascending, to `into`, and returns its size. */
function union(a: Uint32Array, b: Uint32Array, into: Uint32Array): number {
  let n = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const next = Math.min(a[i], b[j]);
    if (a[i] === next) i++;
    if (b[j] === next) j++;
    into[n++] = next;
  }
  while (i < a.length) into[n++] = a[i++];
  while (j < b.length) into[n++] = b[j++];
  return n;
}
