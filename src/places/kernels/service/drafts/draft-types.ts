import type { AccessTrace, ArrayLoads } from '../../../../core/kernel/access-steps.ts';
import type { Sizes } from '../../../../core/operations/operation.ts';
import type { BenchReport } from '../../../../core/report.ts';
import type { BenchDraft } from '../../../../engine/bench/bench-types.ts';

/** A kernel as somebody has changed it, to be tried on the open matrix. */
export interface DraftRequest extends Omit<BenchDraft, 'mark'> {
  /** parameters of its format that differ from their defaults */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * Workgroups for ceil(rows / this) in place of those that the kernel's plan dispatches, for a draft that shares rows out
   * in another way; only of a kernel of one pass
   */
  readonly rowsPerWorkgroup?: number;
  /** absent: reports call it a draft of the kernel */
  readonly mark?: BenchDraft['mark'];
  /** sizes of the operation that differ from their defaults */
  readonly sizes: Sizes;
  /** whether a draft that is right is timed */
  readonly time: boolean;
  /** rounds of the timing; default: 20 */
  readonly rounds?: number;
}

/** Something that a compiler says, at its place in a file. */
export interface DraftMessage {
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  /** path below shaders/; null for what concerns no line, such as the limits of a pipeline */
  readonly file: string | null;
  /** from 1; 0 without a file */
  readonly line: number;
  /** in UTF-16 units, from 1; 0 where the whole line is meant */
  readonly column: number;
  /** in UTF-16 units; 0 where it is not known */
  readonly length: number;
}

/** One output that is wrong. A number, or in words 'NaN', 'Infinity', '-Infinity', 'unwritten', 'any'. */
interface DraftMismatch {
  /** which output, in the order of the operation: of y = A x the row */
  readonly output: number;
  readonly got: number | string;
  readonly expected: number | string;
  readonly bound: number | string;
}

/** What the draft made of one matrix. */
export interface DraftCheck {
  readonly stage: 'checked';
  /** what it was tried on: the name of the open matrix, or a few words such as 'empty rows first' */
  readonly matrix: string;
  readonly isOpenMatrix: boolean;
  readonly rows: number;
  readonly cols: number;
  /** which of the matrices that it is tried on, from 1 */
  readonly place: number;
  readonly of: number;
  readonly ok: boolean;
  readonly outputs: number;
  /** how many outputs are wrong */
  readonly wrong: number;
  /** the largest error, in units of the bound: at most 1 where all outputs are right */
  readonly worstShare: number;
  /** the first that are wrong, at most 16 */
  readonly first: readonly DraftMismatch[];
  /** of the open matrix: 1 for each output that is wrong, by output, at most 2^20 of them; absent where none is */
  readonly wrongOutputs?: Uint8Array;
  /** what was written behind an output, as a sentence */
  readonly guard?: string;
  /** why the kernel does not take this matrix: it was not tried on it; null where it was */
  readonly declined: string | null;
}

/** Times of one kernel, in nanoseconds per run, and how it compares with the original in the same rounds. */
export interface DraftTime {
  readonly who: 'draft' | 'original' | 'reference';
  readonly kernel: string;
  readonly medianNs: number;
  readonly p10Ns: number;
  readonly p90Ns: number;
  /** rounds that it was timed in so far */
  readonly rounds: number;
  /** how many times as fast as the original: median of the ratios per round, with p10 and p90 */
  readonly vsOriginal: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** like `vsOriginal`, for the reference, which is dense */
  readonly vsDense: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** 10^9 bytes per second that it moved at least */
  readonly GBps: number | null;
}

/**
 * What a run of a draft tells, in this order: compiled, then for each matrix checked, budget, timed again and again, and
 * ended. It ends at the first stage that fails; ended comes always, and once.
 */
export type DraftEvent =
  /** what it does, between the others and as often as there is something to say */
  | { readonly stage: 'doing'; readonly what: string; readonly done: number; readonly total: number }
  | { readonly stage: 'compiled'; readonly ok: boolean; readonly messages: readonly DraftMessage[] }
  | DraftCheck
  /** whether loops took more steps than they have in a first run, which was then left; `loop`: which one, where that is known */
  | {
      readonly stage: 'budget';
      readonly stopped: boolean;
      readonly sentence: string;
      readonly loop: { readonly file: string; readonly line: number } | null;
    }
  | {
      readonly stage: 'timed';
      readonly rows: readonly DraftTime[];
      /** of all rounds */
      readonly of: number;
      readonly readBandwidthGBps: number | null;
      readonly clock: { readonly source: 'timestamp-query' | 'wall-clock'; readonly quantumNs: number };
      /** of the whole race, once that has ended; the draft's row is marked */
      readonly report?: BenchReport;
    }
  /** ok: it is right on every matrix, and was timed where that was wanted and can be */
  | { readonly stage: 'ended'; readonly ok: boolean; readonly sentence: string };

/** Gets an event; the next one waits until it is taken. */
export type TakeDraftEvent = (event: DraftEvent) => void | Promise<void>;

/** One workgroup of a kernel, or of a draft of it, to be watched on the open matrix. */
export interface MemoryRequest extends Omit<DraftRequest, 'time' | 'rounds'> {
  /** which workgroup, from 0, row by row of the dispatch */
  readonly workgroup: number;
  /** which pass of the kernel, from 0, which is the default */
  readonly pass?: number;
}

/** What the lanes of a workgroup touched. `accessSteps` (core/kernel/access-steps.ts) makes requests to memory of it. */
export interface MemoryAnswer {
  readonly generation: number;
  readonly kernel: string;
  readonly pass: number;
  readonly passes: number;
  readonly workgroup: number;
  /** that the pass dispatches */
  readonly workgroups: number;
  /** lanes of a subgroup on this device */
  readonly subgroup: number;
  /** of the workgroup, up to the last one that touches anything */
  readonly subgroups: number;
  /** what all of them load, by array */
  readonly arrays: readonly ArrayLoads[];
  readonly trace: AccessTrace;
}
