/* The report of tokens that a language model decoded: their times, and whether each stage of a token was right. */

import type { Environment } from '../report.ts';

/** The check of one stage of a token's computation, which is repeated in f64 with the same inputs. */
export interface StageCheck {
  /** 'block 0, q, k, v' */
  readonly what: string;
  /** tokens before this token */
  readonly position: number;
  readonly ok: boolean;
  /** the largest error of an output in units of the tolerance */
  readonly worst: number;
}

/** The times of the dispatches of one token, in the middle of a run. */
interface DecodeTimes {
  /** tokens before this token */
  readonly position: number;
  readonly source: 'timestamp-query' | 'wall-clock';
  /** resolution of the clock, in nanoseconds */
  readonly quantumNs: number;
  /** number of dispatches, and nanoseconds of all of them in a row, by kind: 'matrices', 'attention' */
  readonly kinds: Readonly<Record<string, { readonly launches: number; readonly ns: number }>>;
  /** nanoseconds of a whole token: samples, each the mean of several consecutive tokens */
  readonly tokenNs: readonly number[];
}

/** Tokens that were written one after the other, in several rounds. */
export interface DecodeRun {
  /** tokens before the run */
  readonly context: number;
  readonly tokens: number;
  /** mean milliseconds of a token in each round, by the wall clock; empty where nothing was timed */
  readonly roundMs: readonly number[];
  /** median and 10th and 90th percentile over the rounds; null where nothing was timed */
  readonly msPerToken: { readonly median: number; readonly p10: number; readonly p90: number } | null;
  /** bytes that a token reads at least: matrices, head, norms, and the KV cache at the middle of the run */
  readonly bytesPerToken: number;
  readonly dispatches: number;
  /** null where nothing was timed */
  readonly times: DecodeTimes | null;
  /** the checks of a token before the timed ones, and of a token after them */
  readonly checks: { readonly before: readonly StageCheck[]; readonly after: readonly StageCheck[] };
}

/** Matrices of the model with the same names and shape: how many, their format, and their kernels. */
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
  /** the kernel for hundreds of tokens at a time; null, or absent in older reports: `several` computes them */
  readonly many?: string | null;
  /** constants of `kernel` from timing trials */
  readonly chosen: Readonly<Record<string, number>>;
  /** constants of `many` from timing trials */
  readonly manyChosen?: Readonly<Record<string, number>>;
  /** time of one product alone, in the trials; null where nothing was timed */
  readonly ns: number | null;
  /** bytes of the arrays of one matrix */
  readonly bytes: number;
}

/** The prefill: many tokens of a prompt at a time. */
interface DecodePrefill {
  readonly tokens: number;
  /** tokens that are computed in the same dispatches */
  readonly together: number;
  /** milliseconds of each round, with the logits read back; empty where nothing was timed */
  readonly roundMs: readonly number[];
  /** 'last': logits are computed for the last token alone; absent in older reports: for all */
  readonly logitsAfter?: 'last';
  /** the last token's logits, compared with those after the same tokens one by one; absent in older reports */
  readonly check?: StageCheck;
}

/**
 * The times of whole tokens, decoded on one device by a model with the sizes of a real model and random weights. Saved
 * as JSON: properties keep their names and meaning.
 */
export interface DecodeReport {
  readonly schema: 1;
  readonly what: 'decode';
  /** ISO 8601 */
  readonly createdAt: string;
  /** name and version of the application */
  readonly app: string;
  readonly environment: Environment;
  /** `sizes`: as in the page's address */
  readonly model: { readonly name: string; readonly layers: number; readonly sizes: string };
  /** id of the format of the blocks' matrices; the head and the embedding are dense f16 */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** density of the blocks' matrices */
  readonly density: number;
  readonly matrices: readonly DecodeMatrix[];
  /** bytes on the device, by purpose: 'matrices', 'cache' */
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
  /** why the measurement is incomplete, as a text; absent if it is complete */
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

/** Total bytes of the model and its cache on the device. */
export function decodeBytes({ bytes }: Pick<DecodeReport, 'bytes'>): number {
  return Object.values(bytes).reduce((sum, each) => sum + each, 0);
}
