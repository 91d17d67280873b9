/** What a run leaves behind: stable, versioned, exported and imported as it is. */
export interface BenchReport {
  readonly schema: 1;
  /** ISO 8601 */
  readonly createdAt: string;
  /** name and version of the application */
  readonly app: string;
  readonly environment: Environment;
  readonly clock: { readonly source: 'timestamp-query' | 'wall-clock'; readonly quantumNs: number };
  /** measured in the same run; null when nothing was timed */
  readonly readBandwidthGBps: number | null;
  /**
   * 10^9 multiply-adds in f32 per second of a kernel that does nothing else, measured in the same run where a kernel may
   * be bound by them
   */
  readonly peakGFMAps?: number;
  readonly workload: Workload;
  /** time of one dispatch that does nothing, measured in the same rounds; null when nothing was timed */
  readonly nullDispatchNs: number | null;
  readonly rows: readonly BenchRow[];
  /** kernels that did not run, with the reason */
  readonly refused: readonly Refusal[];
  /** sentences a reader of the numbers should know: a device that was lost, rounds that were dropped, what a trial chose */
  readonly notes: readonly string[];
}

/** A kernel that did not run, or every kernel of a format where the format could not hold the matrix (kernel ''). */
export interface Refusal {
  readonly kernel: string;
  readonly format: string;
  /** those that it was tried with */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** it should have run: it does not compile, or contradicts itself */
  readonly failed?: true;
}

export interface Environment {
  readonly adapter: {
    readonly vendor: string;
    readonly architecture: string;
    readonly device: string;
    readonly description: string;
  };
  readonly isFallback: boolean;
  /** browser or runtime with its version */
  readonly runtime: string;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  readonly subgroupSize: { readonly min: number; readonly max: number };
}

export interface Workload {
  readonly operation: string;
  /** sizes of the operation by name, such as tokens; absent where it has none */
  readonly sizes?: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly density: number;
  /** where the matrix came from, in words */
  readonly source: string;
  readonly seed: number;
  readonly memory: 'cold' | 'warm';
  readonly rounds: number;
}

/** A number as JSON can carry it: JSON has no NaN and no infinities. */
export type ReportNumber = number | 'NaN' | 'Infinity' | '-Infinity';

/** `value`, or its name when JSON cannot carry it; -0, which JSON reads back as 0, becomes 0. */
export function reportNumber(value: number): ReportNumber {
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

export interface Verification {
  readonly ok: boolean;
  /** outputs that there are */
  readonly outputs: number;
  /** how many of them were compared, a random sample, where that is not all; the others were written */
  readonly compared?: number;
  /** largest |y - ref| / bound; at most 1 when ok, the largest number there is when an output is not even of that kind */
  readonly worstShare: number;
  /** the first outputs that are outside the bound */
  readonly failures: readonly {
    /** which output; of y = A x that is the row */
    readonly row: number;
    /** 'unwritten' when the kernel left the poison in place */
    readonly found: ReportNumber | 'unwritten';
    /** 'any' outside a sample, like the bound */
    readonly expected: ReportNumber | 'any';
    readonly bound: ReportNumber | 'any';
  }[];
  readonly failureCount: number;
  /** checked again after the timed batch */
  readonly checkedAfterTiming: boolean;
}

export interface BenchRow {
  readonly kernel: string;
  readonly format: string;
  readonly title: string;
  readonly where: 'gpu' | 'cpu';
  readonly params: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  /** multiply-adds of one run, of kernels that may be bound by them */
  readonly multiplyAdds?: number;
  readonly verified: Verification;
  /** time of one run per round; empty on a software adapter and for a kernel that failed */
  readonly samplesNs: readonly number[];
  /** null without samples, like the three after it */
  readonly medianNs: number | null;
  readonly p10Ns: number | null;
  readonly p90Ns: number | null;
  /** `bytes` over the median, in 10^9 bytes per second */
  readonly GBps: number | null;
  /**
   * Median, p10 and p90 of per-round ratios, dense time over this time: above 1 is faster than dense. `reference` is
   * the dense kernel compared with: the fastest of the same value type, or of any where that has none. Null where no
   * dense kernel was timed.
   */
  readonly vsDense: {
    readonly reference: string;
    readonly ratio: number;
    readonly p10: number;
    readonly p90: number;
  } | null;
  /** set when faster than memory can be read: it came from a cache */
  readonly cached: boolean;
  readonly runsPerSample: number;
  readonly copies: number;
  /** setup, apart from the steady state */
  readonly encodeMs: number;
  readonly uploadMs: number;
  readonly compileMs: number;
  readonly firstDispatchMs: number;
}
