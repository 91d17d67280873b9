// Ablation: which parts of the kernels of each format can be left out, to see by the difference in time what they wait for.

import { declarationOf } from '../../../src/core/declared/declarations.ts';
import { arraysOf } from '../../../src/core/declared/declared-arrays.ts';
import { type AnyFormat, defaultParams } from '../../../src/core/format.ts';
import type { EncodedMatrix } from '../../../src/core/encoded/encoded.ts';

/** A part of a kernel that is not a read, with its replacement in a file. */
interface TextPart {
  /** 'the scan' */
  readonly name: string;
  /** of the file, below shaders/ */
  readonly path: string;
  /** texts that occur once, and their replacements */
  readonly replaced: readonly (readonly [from: string, to: string])[];
}

/** Rules for leaving out the parts of a kernel to measure their cost, beyond its text. */
export interface LeftOutRules {
  /** arrays that are always read, by their names in the WGSL text: they determine the length of loops, or the work of lanes */
  readonly alwaysRead: readonly string[];
  /**
   * By the name of an array in the WGSL text: the expression, a u32, that replaces a word of the array when it is not read. Needed
   * where not every number is valid: columns outside x would all be read at one position, and random columns would not
   * ascend. In the expression, `place` is the index of the word and `h` a hash of it. Default: any finite number.
   */
  readonly replacements?: Readonly<Record<string, (e: EncodedMatrix) => string>>;
  /** barriers stay: lists that lanes make for each other determine the length of loops */
  readonly keepsBarriers?: boolean;
  /** parts that are not reads; entries for files that are not part of a kernel are ignored */
  readonly texts?: readonly TextPart[];
}

/** An expression for columns that ascend from word to word about like the columns of a row. */
function ascendingColumn({ rows, cols, nnz }: EncodedMatrix): string {
  /** mean distance between the columns of a row */
  const distance = Math.max(1, Math.round((rows * cols) / Math.max(1, nnz)));
  return `(place * ${distance}u + (h >> 16u) % ${distance}u) & ${powerOfTwoUpTo(cols) - 1}u`;
}

/** An expression for random columns. */
function randomColumn({ cols }: EncodedMatrix): string {
  return `h & ${powerOfTwoUpTo(cols) - 1}u`;
}

/** The largest power of two that is at most `n`; 2 if `n` is less. */
function powerOfTwoUpTo(n: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(2, n)));
}

/** Parts of files shared by kernels of several formats. */
export const SHARED_PARTS: readonly TextPart[] = [
  {
    name: 'the scan',
    path: 'macko/row_by_subgroup.wgsl#walk',
    replaced: [
      [
        'return value + select(0u, subgroupShuffleUp(value, distance), lane >= distance);',
        'return value + (lane & distance);',
      ],
    ],
  },
  {
    // Everything staged is still read. Four of sixteen multiply-adds remain, each with the sum of two components.
    name: 'three quarters of the multiply-adds',
    path: 'common/gemm_tile.wgsl#large',
    replaced: [
      ['multiply_add(b0.x, a0, (*sums)[0])', 'multiply_add(b0.x + b0.y, a0, (*sums)[0])'],
      ['multiply_add(b0.x, a1, (*sums)[1])', 'multiply_add(b0.z + b0.w, a1, (*sums)[1])'],
      ['multiply_add(b1.x, a0, (*sums)[8])', 'multiply_add(b1.x + b1.y, a0, (*sums)[8])'],
      ['multiply_add(b1.x, a1, (*sums)[9])', 'multiply_add(b1.z + b1.w, a1, (*sums)[9])'],
      ...['b0', 'b1'].flatMap((vector, half) =>
        ['y', 'z', 'w'].flatMap((component, i) =>
          ['a0', 'a1'].map((rows, j): readonly [string, string] => {
            const sums = `(*sums)[${8 * half + 2 * (i + 1) + j}]`;
            return [`multiply_add(${vector}.${component}, ${rows}, ${sums})`, sums];
          }),
        ),
      ),
    ],
  },
];

/** By format: arrays that decide how long loops run are always read; a column that is not read is replaced. */
const RULES: Readonly<Record<string, LeftOutRules>> = {
  csr: { alwaysRead: ['indptr'], replacements: { indices: ascendingColumn } },
  bsr: { alwaysRead: ['indptr'], replacements: { indices: (e) => `(${randomColumn(e)}) / 16u` } },
  ell: {
    keepsBarriers: true,
    alwaysRead: ['counts', 'running', 'hidden'],
    replacements: { indices: (e) => ascendingColumn(e).replace('place', `(place / ${e.rows}u)`) },
  },
  bitmask: {
    alwaysRead: ['indptr'],
    // Up to 16 bits two columns share a word.
    replacements: { group_columns: (e) => (e.cols > 2 ** 16 ? randomColumn(e) : `(${randomColumn(e)}) * 0x10001u`) },
  },
  macko: {
    alwaysRead: ['indptr'],
    replacements: {
      deltas: () => '(h & 0x11111111u) + ((h >> 1u) & 0x11111111u)',
      lane_values: () => 'h & 0x00ff00ffu',
      block_values: () => 'h & 0x00ff00ffu',
    },
  },
  'ec-csr': {
    alwaysRead: ['blockPtr', 'rowIndices', 'places', 'partialPtr', 'lists', 'slots'],
    replacements: { baseIndices: randomColumn, deltaIndices: () => 'h & 0x11111111u' },
  },
  twell: {
    keepsBarriers: true,
    alwaysRead: ['words', 'counts', 'running', 'list_columns', 'overflow', 'entries', 'hidden'],
    replacements: { indices: randomColumn },
  },
  hybrid: {
    keepsBarriers: true,
    alwaysRead: [
      'words',
      'counts',
      'tail_map',
      'tail_rows',
      'running',
      'list',
      'list_rows',
      'packed',
      'hidden',
      'tail',
    ],
    replacements: { indices: randomColumn },
  },
  slidesparse: {
    alwaysRead: [],
    texts: [
      {
        name: 'choosing x, with metadata',
        path: 'slidesparse/row_pair.wgsl',
        replaced: [
          [
            'let first = select(select(four.x, four.y, (nibble & 1u) != 0u), four.z, (nibble & 2u) != 0u);',
            'let first = four.x + four.y;',
          ],
          [
            'let second = select(four.y, select(four.z, four.w, (nibble & 4u) != 0u), (nibble & 8u) != 0u);',
            'let second = four.z + four.w;',
          ],
        ],
      },
      {
        name: 'putting weights back, with metadata',
        path: 'slidesparse/gemm.wgsl',
        replaced: [
          [
            `return select(vec4(0.0), vec4(kept.x), slots == vec4(nibble & 3u))
    + select(vec4(0.0), vec4(kept.y), slots == vec4((nibble >> 2u) & 3u));`,
            'return vec4(kept, kept);',
          ],
        ],
      },
      {
        name: 'neighbouring windows',
        path: 'slidesparse/gemm.wgsl',
        replaced: [
          ['let before = window_slots(max(window, 1u) - 1u);', 'let before = vec4<f32>();'],
          ['let after = window_slots(window + 1u);', 'let after = vec4<f32>();'],
        ],
      },
    ],
  },
};

/** The rules for the kernels of a format. By default all arrays except values are still read. */
export function leftOutRules(format: AnyFormat): LeftOutRules {
  const declared = declarationOf(format);
  const arrays = declared ? arraysOf(declared, defaultParams(format.params), { rows: 8, cols: 8 }) : [];
  return RULES[format.id] ?? { alwaysRead: arrays.filter(({ role }) => role !== 'values').map(({ name }) => name) };
}
