import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_JOB } from '../../src/core/job.ts';
import { readMatrix } from '../../src/io/read.ts';
import type { Matrix } from '../../src/core/matrix/index.ts';
import { formats } from '../../src/formats/registry.ts';
import { allParams } from '../arbitraries.ts';

/** Files that earlier versions of the page wrote, in test/golden/written: every later version must open them. */

export const WRITTEN = join(import.meta.dirname, 'written');

/**
 * The two matrices in these files, whose values every value type stores exactly. fine: sixteenths, with 127 sixteenths as the
 * largest of each row; coarse: sixteenths from -8 to 7, with a -8 wherever a scale begins.
 */
export type Written = 'fine' | 'coarse';

/** Parameters of a format, and the matrix that its files store. */
type Choice = readonly [format: string, params: Readonly<Record<string, unknown>>, of: Written];

/** Formats whose choices are listed by hand. */
const LISTED: readonly Choice[] = [
  ['dense', { valueType: 'f16' }, 'fine'],
  ['dense', { valueType: 'i4' }, 'coarse'],
  ['csr', { valueType: 'f16', indexBits: 'auto' }, 'fine'],
  ['csr', { valueType: 'f32', indexBits: 32 }, 'fine'],
  ['bsr', { blockSize: 16, valueType: 'f32' }, 'fine'],
  ['bsr', { blockSize: 4, valueType: 'i8' }, 'fine'],
  ['ell', { valueType: 'f16', indexBits: 'auto' }, 'fine'],
  ['ell', { valueType: 'f32', indexBits: 32 }, 'fine'],
  ['bitmask', { valueType: 'i8' }, 'fine'],
  ['bitmask', { valueType: 'i4' }, 'coarse'],
  ['macko', { deltaBits: 4, valueType: 'f16' }, 'fine'],
  ['macko', { deltaBits: 2, valueType: 'i4' }, 'coarse'],
  ['ec-csr', { lanes: 2, vectorSize: 2, valueType: 'f16' }, 'fine'],
  ['ec-csr', { lanes: 4, vectorSize: 1, deltaBits: 4, remainder: 'short-block', valueType: 'f32' }, 'fine'],
  ['twell', { layout: 'packed', tileWidth: 16, compression: 2 }, 'fine'],
  ['twell', { layout: 'split', tileWidth: 32, compression: 2 }, 'fine'],
  ['hybrid', { rowSlots: 4, tailShare: 1 }, 'fine'],
  ['hybrid', { rowSlots: 32, tailShare: 8 }, 'fine'],
  ['slidesparse', { halfGroup: 4, valueType: 'f16' }, 'fine'],
  ['slidesparse', { halfGroup: 3, valueType: 'i8' }, 'fine'],
];

/** Two choices for each format: of one that is not listed the first and the last of all. */
export const CHOICES: readonly Choice[] = [
  ...LISTED,
  ...formats
    .filter(({ id }) => LISTED.every(([format]) => format !== id))
    .flatMap((format) => {
      const every: readonly Choice[1][] = allParams(format);
      return [every[0], every[every.length - 1]].map((params): Choice => {
        return [format.id, params, params.valueType === 'i4' ? 'coarse' : 'fine'];
      });
    }),
];

export const KINDS = ['npz', 'safetensors'] as const;

/** The file with the arrays of choice `i`. */
export function pathOf(i: number, kind: (typeof KINDS)[number]): string {
  return join(WRITTEN, `${CHOICES[i][0]}-${(i % 2) + 1}.${kind}`);
}

/** A file as in a browser. */
export function fileAt(path: string): Blob | null {
  return existsSync(path) ? new Blob([readFileSync(path)]) : null;
}

/** A matrix that the page wrote as .mtx. */
export async function writtenMatrix(name: Written): Promise<Matrix> {
  return (await readMatrix(new File([readFileSync(join(WRITTEN, `${name}.mtx`))], `${name}.mtx`), {}, NO_JOB)).matrix;
}
