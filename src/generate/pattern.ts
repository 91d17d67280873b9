import type { Steps } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';

/** A number of a pattern's own: what a form shows and what a spec may hold. */
export interface PatternOption {
  /** its name in `GenerateSpec.options` */
  readonly id: string;
  readonly label: string;
  /** one sentence */
  readonly meaning: string;
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly unit?: string;
  /** whether only whole numbers are meant */
  readonly whole: boolean;
}

/** What a form shows of a pattern. */
export interface PatternInfo {
  /** value of `GenerateSpec.pattern` */
  readonly id: string;
  readonly title: string;
  /** one sentence: where the non-zeros are */
  readonly meaning: string;
  readonly options: readonly PatternOption[];
  /** The only densities that the pattern can have with these options; absent when it can have any. */
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

/** A pattern with the way to make a matrix of it. */
export interface Pattern extends PatternInfo {
  /** Throws MatrixError when the options contradict shape or density. */
  steps(spec: CheckedSpec): Steps<Matrix>;
}
