/* The report of whole tokens that a model decoded: how long they took, by purpose, and whether each stage was right. */

import type { Environment } from '../report.ts';

/** The check of one stage of a token, which was computed again in f64 from the same inputs. */
export interface StageCheck {
  /** 'block 0, q, k, v' */
  readonly what: string;
  /** tokens before the one that was computed */
  readonly position: number;
  readonly ok: boolean;
  /** the largest error of an output in units of the tolerance */
  readonly worst: number;
}

/** The dispatches of one token by purpose, in the middle of a run. */
interface DecodeTimes {
  /** tokens before it */
  readonly position: number;
  readonly source: 'timestamp-query' | 'wall-clock';
  /** of the clock, in nanoseconds */
  readonly quantumNs: number;
  /** dispatches, and nanoseconds of all of them in a row, by kind: 'matrices', 'attention' */
  readonly kinds: Readonly<Record<string, { readonly launches: number; readonly ns: number }>>;
  /** nanoseconds of a whole token: samples, each the mean of several consecutive tokens */
  readonly tokenNs: readonly number[];
}

/** A run of tokens, one after the other, each timed. */
export interface DecodeRun {
  /** tokens that came before them */
  readonly context: number;
  readonly tokens: number;
  /** mean time of a token in each round, by the wall clock; empty where nothing was timed */
  readonly roundMs: readonly number[];
  /** median and 10th and 90th percentile over the rounds; null where nothing was timed */
  readonly msPerToken: { readonly median: number; readonly p10: number; readonly p90: number } | null;
  /** minimum that a token reads: matrices, head, norms, and the cache at the middle of the run */
  readonly bytesPerToken: number;
  readonly dispatches: number;
  /** null where nothing was timed */
  readonly times: DecodeTimes | null;
  /** before the timed tokens at their first, and after them at the last */
  readonly checks: { readonly before: readonly StageCheck[]; readonly after: readonly StageCheck[] };
}

/** A matrix of a shape, and how many of the model have it. */
export interface DecodeMatrix {
  /** 'q, k, v' */
  readonly names: string;
  readonly rows: number;
  readonly cols: number;
  readonly count: number;
  readonly format: string;
  readonly kernel: string;
  /** the kernel for several tokens at a time; null: they are computed one after the other */
  readonly several: string | null;
  /** the kernel for hundreds of tokens at a time; null, or absent as in older reports: `several` */
  readonly many?: string | null;
  /** constants of the kernel that its trial chose */
  readonly chosen: Readonly<Record<string, number>>;
  /** of `many` */
  readonly manyChosen?: Readonly<Record<string, number>>;
  /** of one run alone, in the trial that chose; null where nothing was timed */
  readonly ns: number | null;
  /** of its arrays */
  readonly bytes: number;
}

/** Many tokens read at once. */
interface DecodePrefill {
  readonly tokens: number;
  /** how many of them one chain of dispatches reads */
  readonly together: number;
  /** by round, with the logits read back; empty where nothing was timed */
  readonly roundMs: readonly number[];
  /** those of the last token alone; absent in older reports: of all */
  readonly logitsAfter?: 'last';
  /** the logits of the last token beside those of the same tokens fed one by one; absent in older reports */
  readonly check?: StageCheck;
}

/**
 * The times of whole tokens, decoded on one device by a model whose sizes are real and whose weights are random. Stable,
 * exported as it is.
 */
export interface DecodeReport {
  readonly schema: 1;
  readonly what: 'decode';
  /** ISO 8601 */
  readonly createdAt: string;
  /** name and version of the application */
  readonly app: string;
  readonly environment: Environment;
  /** with its sizes as they stand in the page's address */
  readonly model: { readonly name: string; readonly layers: number; readonly sizes: string };
  /** id of the format of the matrices of blocks; the head and the embedding are dense f16 */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** share of the weights of blocks that is not zero */
  readonly density: number;
  readonly matrices: readonly DecodeMatrix[];
  /** on the device, by purpose: 'matrices', 'cache' */
  readonly bytes: Readonly<Record<string, number>>;
  readonly setup: {
    /** generating, encoding, choosing kernels */
    readonly makeSeconds: number;
    /** uploading, copying, compiling */
    readonly openSeconds: number;
  };
  readonly runs: readonly DecodeRun[];
  readonly prefill: DecodePrefill | null;
  /** whether every check of every run passed */
  readonly ok: boolean;
  /** why it broke off, as a sentence; absent for a whole one */
  readonly unfinished?: string;
}

/** Tokens per second of a run; null where nothing was timed. */
export function runRate({ msPerToken }: Pick<DecodeRun, 'msPerToken'>): number | null {
  return msPerToken === null ? null : 1000 / msPerToken.median;
}

/** The checks of a report that failed, in their order. */
export function failedStages({ runs, prefill }: Pick<DecodeReport, 'runs' | 'prefill'>): readonly StageCheck[] {
  const checks = runs.flatMap(({ checks: { before, after } }) => [...before, ...after]);
  return [...checks, ...(prefill?.check ? [prefill.check] : [])].filter(({ ok }) => !ok);
}

/** Bytes on the device in all. */
export function decodeBytes({ bytes }: Pick<DecodeReport, 'bytes'>): number {
  return Object.values(bytes).reduce((sum, each) => sum + each, 0);
}
