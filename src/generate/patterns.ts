import table from './patterns.json';
import type { Steps } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';

/** A numeric option of a pattern: a field of the form and of a spec. */
export interface PatternOption {
  /** its name in `GenerateSpec.options` */
  readonly id: string;
  readonly min: number;
  readonly max: number;
  readonly default: number;
  /** whether it must be a whole number */
  readonly isInteger: boolean;
}

/** A kind of random matrix that can be generated, with its options. */
export interface PatternInfo {
  /** value of `GenerateSpec.pattern` */
  readonly id: string;
  readonly options: readonly PatternOption[];
  /** The only densities that the pattern can produce with these options; absent if it can produce any. */
  densities?(options: Readonly<Record<string, number>>): readonly number[];
}

/** A spec whose fields are known to be in range, with every option of its pattern filled in. */
export interface CheckedSpec {
  readonly rows: number;
  readonly cols: number;
  readonly density: number;
  readonly seed: number;
  readonly options: Readonly<Record<string, number>>;
}

/** Generates a matrix of one pattern. Throws MatrixError if the options contradict shape or density. */
export type PatternSteps = (spec: CheckedSpec) => Steps<Matrix>;

/** The kinds of random matrices that `generate.ts` makes, with their options, in the order of the form. */
export const patterns: readonly PatternInfo[] = table.map((info) =>
  info.id === 'n-of-m' ? { ...info, densities: ({ m }) => Array.from({ length: m + 1 }, (_, n) => n / m) } : info,
);
