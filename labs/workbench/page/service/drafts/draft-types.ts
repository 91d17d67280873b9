// Requests and events of trying a draft (a user's changed kernel), exchanged between page and worker.

import type { CompileMessage } from '../../../gpu/compile-messages.ts';
import type { AccessTrace, ArrayLoads } from '../../../theory/access-steps.ts';
import type { Sizes } from '../../../../../src/core/operations/operation.ts';
import type { BenchReport } from '../../../../../src/core/report.ts';
import type { BenchDraft } from '../../../../../src/engine/bench/bench-types.ts';

export type { CompileMessage };

/** A request to try a draft (a user's changed kernel) on the open matrix. */
export interface DraftRequest extends Omit<BenchDraft, 'mark'> {
  /** parameters of its format that differ from their defaults */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * the dispatch has ceil(rows / this) workgroups, for a draft that distributes rows differently than the original;
   * only for kernels of one pass
   */
  readonly rowsPerWorkgroup?: number;
  /** its name and version in reports; absent: only '(draft)' after the kernel's id */
  readonly mark?: BenchDraft['mark'];
  /** sizes of the operation that differ from their defaults */
  readonly sizes: Sizes;
  /** whether a correct draft is timed */
  readonly time: boolean;
  /** rounds of the timing; default: 20 */
  readonly rounds?: number;
}

/** An incorrect output: numbers, 'NaN', 'Infinity', '-Infinity', 'unwritten', or 'any' for outputs not compared. */
interface DraftMismatch {
  /** index of the output, in the order of the operation: for y = A x the row */
  readonly output: number;
  readonly got: number | string;
  readonly expected: number | string;
  readonly bound: number | string;
}

/** The draft's result on one matrix. */
export interface DraftCheck {
  readonly stage: 'checked';
  /** name of the open matrix, or a few words such as 'empty rows first' */
  readonly matrix: string;
  readonly isOpenMatrix: boolean;
  readonly rows: number;
  readonly cols: number;
  /** number of the matrix in this run, from 1 */
  readonly place: number;
  /** matrices in this run */
  readonly of: number;
  readonly ok: boolean;
  readonly outputs: number;
  /** number of incorrect outputs */
  readonly wrong: number;
  /** largest error, as a share of the bound: at most 1 if all outputs are correct */
  readonly worstShare: number;
  /** the first incorrect ones, at most 16 */
  readonly first: readonly DraftMismatch[];
  /** for the open matrix: 1 for each incorrect output of the first 2^20, else 0; absent if all are correct */
  readonly wrongOutputs?: Uint8Array;
  /** writes past the end of an output, as a message */
  readonly guard?: string;
  /** why the kernel does not support this matrix, so that it was not tried; null if it was */
  readonly declined: string | null;
}

/** A kernel's times in nanoseconds per run, and its speed relative to the original in the same rounds. */
export interface DraftTime {
  readonly who: 'draft' | 'original' | 'reference';
  readonly kernel: string;
  readonly medianNs: number;
  readonly p10Ns: number;
  readonly p90Ns: number;
  /** rounds timed so far */
  readonly rounds: number;
  /** speed relative to the original: median of the ratios per round, with p10 and p90 */
  readonly vsOriginal: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** speed relative to the reference, which is dense */
  readonly vsDense: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** lower bound on the bandwidth, 10^9 bytes per second */
  readonly GBps: number | null;
}

/**
 * The events of a draft's run, in this order: compiled; checked, once for each matrix; budget; timed, several times;
 * and ended. It ends at the first stage that fails; ended always comes, once.
 */
export type DraftEvent =
  /** current activity, at any time between the others */
  | { readonly stage: 'doing'; readonly what: string; readonly done: number; readonly total: number }
  | { readonly stage: 'compiled'; readonly ok: boolean; readonly messages: readonly CompileMessage[] }
  | DraftCheck
  /** whether a loop exceeded its maximum of iterations, which ends the run; `loop`: which one, if known */
  | {
      readonly stage: 'budget';
      readonly stopped: boolean;
      /** why it was stopped; '' if it was not */
      readonly sentence: string;
      readonly loop: { readonly file: string; readonly line: number } | null;
    }
  | {
      readonly stage: 'timed';
      readonly rows: readonly DraftTime[];
      /** total number of rounds */
      readonly of: number;
      readonly readBandwidthGBps: number | null;
      readonly clock: { readonly source: 'timestamp-query' | 'wall-clock'; readonly quantumNs: number };
      /** of the timing of draft, original and reference, at its end; the draft's row is marked */
      readonly report?: BenchReport;
    }
  /** ok: it is correct on every matrix, and was timed if requested and possible */
  | { readonly stage: 'ended'; readonly ok: boolean; readonly sentence: string };

/** Receives each event; the next one waits until it has returned. */
export type OnDraftEvent = (event: DraftEvent) => void | Promise<void>;

/** A request to record the memory accesses of one workgroup of a kernel or draft, on the open matrix. */
export interface MemoryRequest extends Omit<DraftRequest, 'time' | 'rounds'> {
  /** index of the workgroup, row by row of the dispatch */
  readonly workgroup: number;
  /** index of the kernel's pass; default: 0 */
  readonly pass?: number;
}

/**
 * The recorded memory accesses of the lanes of a workgroup. `accessSteps` (labs/workbench/theory/access-steps.ts)
 * groups them into requests to memory.
 */
export interface MemoryAnswer {
  /** number of the open matrix: a later one has a larger number */
  readonly generation: number;
  readonly kernel: string;
  readonly pass: number;
  readonly passes: number;
  readonly workgroup: number;
  /** dispatched by the pass */
  readonly workgroups: number;
  /** lanes of a subgroup on this device */
  readonly subgroup: number;
  /** of the workgroup, up to the last one that touches anything */
  readonly subgroups: number;
  /** loads of all subgroups, by array */
  readonly arrays: readonly ArrayLoads[];
  readonly trace: AccessTrace;
}
