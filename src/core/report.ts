/**
 * What a kernel multiplies and adds with. Each has a speed of its own on a device: fma in f32, dot products of four bytes
 * with a sum in i32, or subgroup matrices of bytes with sums in i32.
 */
export const ARITHMETICS = ['f32', 'i8', 'i8-matrix'] as const;
export type Arithmetic = (typeof ARITHMETICS)[number];

/** As it follows the word 'in'. */
export const ARITHMETIC_WORDS: Readonly<Record<Arithmetic, string>> = {
  f32: 'f32',
  i8: 'i8',
  'i8-matrix': 'i8 by matrices',
};

/** Where a report has the speed of each: 10^9 multiply-adds per second of a kernel that does nothing else. */
export const PEAK_FIELDS = {
  f32: 'peakGFMAps',
  i8: 'peakI8GMAps',
  'i8-matrix': 'peakI8MatrixGMAps',
} as const satisfies Readonly<Record<Arithmetic, keyof BenchReport>>;

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
  /** 10^9 multiply-adds in f32 per second of a kernel that does nothing else, measured in the same run */
  readonly peakGFMAps?: number;
  /** the same of dot products of four bytes, where a kernel uses them: 10^9 multiply-adds in i8 per second */
  readonly peakI8GMAps?: number;
  /** the same of subgroup matrices of bytes, where a kernel uses them */
  readonly peakI8MatrixGMAps?: number;
  readonly workload: Workload;
  /** time of one dispatch that does nothing, measured in the same rounds; null when nothing was timed */
  readonly nullDispatchNs: number | null;
  readonly rows: readonly BenchRow[];
  /** kernels that did not run, with the reason */
  readonly refused: readonly Refusal[];
  /** sentences a reader of the numbers should know: a device that was lost, rounds that were dropped, what a trial chose */
  readonly notes: readonly string[];
  /** there only where the run has not come to its end: rows may lack rounds and later verification */
  readonly unfinished?: Unfinished;
}

/** What a run lacks that has not come to its end, beside the rounds that its rows lack of `workload.rounds`. */
export interface Unfinished {
  /** formats that nothing has been measured of */
  readonly waiting: readonly {
    readonly format: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly draft?: DraftMark;
  }[];
}

/** A kernel that did not run, or every kernel of a format where the format could not hold the matrix (kernel ''). */
export interface Refusal {
  readonly kernel: string;
  readonly format: string;
  /** those that it was tried with */
  readonly params?: Readonly<Record<string, unknown>>;
  /** of a draft */
  readonly draft?: DraftMark;
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
  /** in which each kernel is timed; one that joined a run later shares the reference's later rounds */
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
  /** timed runs whose outputs were compared as they were left; absent in reports of before */
  readonly checkedWhileTimed?: number;
}

/** The numbers of a kernel that were found by trial on this device. */
export interface TunedChoices {
  /** what was taken, by the name of the choice: { lanes: 512 } */
  readonly chosen: Readonly<Record<string, number>>;
  /** what would have been taken without a trial */
  readonly start: Readonly<Record<string, number>>;
  /** time of the start over the time of what was chosen, in the trial; 1 where they are the same */
  readonly gain: number;
  /** settings that were tried, the start included */
  readonly tried: number;
  /** found in an earlier run */
  readonly remembered: boolean;
}

/** Whose text a row ran, where that was a kernel that somebody had changed or written. */
export interface DraftMark {
  /** id of the kernel that it was made of */
  readonly of: string;
  readonly name: string;
  readonly version: number;
}

export interface BenchRow {
  readonly kernel: string;
  readonly format: string;
  readonly title: string;
  /** of a draft: no kernel of the application */
  readonly draft?: DraftMark;
  readonly where: 'gpu' | 'cpu';
  readonly params: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  /** multiply-adds of one run, of kernels that may be bound by them */
  readonly multiplyAdds?: number;
  /** of kernels whose numbers were looked for; absent: they ran with their start */
  readonly tuned?: TunedChoices;
  /** of a run that goes on: numbers are being tried for it; with others than its own it is measured anew */
  readonly searching?: true;
  /** what it multiplies and adds with; absent: fma in f32 */
  readonly arithmetic?: Arithmetic;
  readonly verified: Verification;
  /** time of one run per round; empty on a software adapter and for a kernel that failed */
  readonly samplesNs: readonly number[];
  /**
   * The round of the run that each sample comes from, ascending from 0: ratios are of samples of the same round. Absent
   * where that is 0, 1, 2 and so on. References are timed in every round, and so more often than the others.
   */
  readonly rounds?: readonly number[];
  /** null without samples, like the three after it */
  readonly medianNs: number | null;
  readonly p10Ns: number | null;
  readonly p90Ns: number | null;
  /** `bytes` over the median, in 10^9 bytes per second */
  readonly GBps: number | null;
  /**
   * Median, p10 and p90 of per-round ratios, dense time over this time: above 1 is faster than dense. `reference` is
   * the dense kernel compared with: the fastest of the same value type, or of any where that has none; of cells that
   * dense compares with those of another type, `valueType` names that type. Null where no such kernel was timed.
   */
  readonly vsDense: {
    readonly reference: string;
    readonly valueType?: string;
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
