import type { EncodedMatrix } from '../../../core/encoded/encoded.ts';

/** A part that is not a read: its replacement in a file. */
export interface TextPart {
  /** 'the scan' */
  readonly name: string;
  /** of the file, below shaders/ */
  readonly path: string;
  /** texts that occur once, and their replacements */
  readonly replaced: readonly (readonly [from: string, to: string])[];
}

/** Rules for leaving out the parts of a kernel to measure their cost, beyond its text. */
export interface LeftOutRules {
  /** arrays that are always read, by their names in the text: they determine the length of loops, or the work of lanes */
  readonly kept: readonly string[];
  /**
   * The replacement of a word that is not read, as u32 in WGSL, if not any number will do: columns outside of x would
   * all be read at one position, and random columns would not ascend. `place` is the index of the word, `h` its hash.
   * By the names in the text.
   */
  readonly standIns?: Readonly<Record<string, (e: EncodedMatrix) => string>>;
  /** barriers stay: lists that lanes make for each other determine the length of loops */
  readonly keepsBarriers?: boolean;
  /** parts that are not reads; entries for files that are not part of a kernel are ignored */
  readonly texts?: readonly TextPart[];
}

/** Replacement columns, as u32: they ascend from word to word about like those of a row. */
export function ascendingColumn({ rows, cols, nnz }: EncodedMatrix): string {
  const apart = Math.max(1, Math.round((rows * cols) / Math.max(1, nnz)));
  return `(place * ${apart}u + (h >> 16u) % ${apart}u) & ${powerOfTwoUpTo(cols) - 1}u`;
}

/** Replacement columns at random. */
export function anyColumn({ cols }: EncodedMatrix): string {
  return `h & ${powerOfTwoUpTo(cols) - 1}u`;
}

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
    // Everything staged is still read, and four of sixteen multiply-adds remain.
    name: 'three quarters of the multiply-adds',
    path: 'common/gemm_tile.wgsl#large',
    replaced: [
      ['multiply_add(b0.x, a0, (*sums)[0])', 'multiply_add(b0.x + b0.y, a0, (*sums)[0])'],
      ['multiply_add(b0.x, a1, (*sums)[1])', 'multiply_add(b0.z + b0.w, a1, (*sums)[1])'],
      ['multiply_add(b1.x, a0, (*sums)[8])', 'multiply_add(b1.x + b1.y, a0, (*sums)[8])'],
      ['multiply_add(b1.x, a1, (*sums)[9])', 'multiply_add(b1.z + b1.w, a1, (*sums)[9])'],
      ...['b0', 'b1'].flatMap((four, half) =>
        ['y', 'z', 'w'].flatMap((line, i) =>
          ['a0', 'a1'].map((rows, j): readonly [string, string] => {
            const sums = `(*sums)[${8 * half + 2 * (i + 1) + j}]`;
            return [`multiply_add(${four}.${line}, ${rows}, ${sums})`, sums];
          }),
        ),
      ),
    ],
  },
];
