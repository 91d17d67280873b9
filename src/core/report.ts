/**
 * The arithmetic of a kernel, each with its own peak on a device: fma in f32, dot products of four bytes with a sum in
 * i32, or subgroup matrices of bytes with sums in i32.
 */
export const ARITHMETICS = ['f32', 'i8', 'i8-matrix'] as const;
export type Arithmetic = (typeof ARITHMETICS)[number];

/** The names of arithmetics in texts, after 'in'. */
export const ARITHMETIC_WORDS: Readonly<Record<Arithmetic, string>> = {
  f32: 'f32',
  i8: 'i8',
  'i8-matrix': 'i8 by matrices',
};

/** Fields of a report: for each arithmetic, 10^9 multiply-adds per second of a kernel that does nothing else. */
export const PEAK_FIELDS = {
  f32: 'peakGFMAps',
  i8: 'peakI8GMAps',
  'i8-matrix': 'peakI8MatrixGMAps',
} as const satisfies Readonly<Record<Arithmetic, keyof BenchReport>>;

/** Adapter name of a CPU run. */
export const CPU_ADAPTER = 'CPU, one thread';

/** The result of a run of kernels on a matrix: stable, versioned, exported unchanged, checked when it is imported. */
export interface BenchReport {
  readonly schema: 1;
  /** ISO 8601 */
  readonly createdAt: string;
  /** name and version of the application */
  readonly app: string;
  /** present if it is part of a recording, the measurements of a device that ship with the page */
  readonly recorded?: RecordingMark;
  /** present if the user opened it as a file; its `recorded` is then not verified */
  readonly imported?: true;
  readonly environment: Environment;
  readonly clock: { readonly source: 'timestamp-query' | 'wall-clock'; readonly quantumNs: number };
  /** measured in the same run; null if nothing was timed, or without memory for it */
  readonly readBandwidthGBps: number | null;
  /** 10^9 multiply-adds in f32 per second of a kernel that does nothing else, measured in the same run */
  readonly peakGFMAps?: number;
  /** likewise for dot products of four bytes, if a kernel uses them: 10^9 multiply-adds in i8 per second */
  readonly peakI8GMAps?: number;
  /** likewise for subgroup matrices of bytes, if a kernel uses them */
  readonly peakI8MatrixGMAps?: number;
  readonly workload: Workload;
  /** time of one empty dispatch, measured in the same rounds; null if nothing was timed */
  readonly nullDispatchNs: number | null;
  readonly rows: readonly BenchRow[];
  /** kernels that did not run, with the reason */
  readonly refused: readonly Rejection[];
  /** texts for readers of the numbers: a device that was lost, rounds that were dropped, what a trial chose */
  readonly notes: readonly string[];
  /** work that the run waited for, and background work; absent in older reports */
  readonly timeline?: readonly Span[];
  /** present only if the run is incomplete: rows may lack rounds and the last verification */
  readonly unfinished?: Unfinished;
}

/** A piece of the work of a run, in whole milliseconds from the run's beginning on. */
export interface Span {
  /** 'encode MACKO' */
  readonly what: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** background work */
  readonly beside?: true;
}

/** The recording that a number comes from. */
export interface RecordingMark {
  /** 'h200@2026-11-22' */
  readonly id: string;
  /** of the device */
  readonly name: string;
  /** 2026-11-22 */
  readonly date: string;
  readonly driver: string;
  /** git commit of the sources */
  readonly commit: string;
}

/** Missing parts of an incomplete run, besides the rounds of `workload.rounds` that its rows lack. */
export interface Unfinished {
  /** formats without any measurement */
  readonly waiting: readonly {
    readonly format: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly draft?: DraftMark;
  }[];
}

/** A kernel that did not run, or every kernel of a format if the format could not store the matrix (kernel ''). */
export interface Rejection {
  readonly kernel: string;
  readonly format: string;
  /** the parameters that it was tried with */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly draft?: DraftMark;
  readonly reason: string;
  /** an error, such as a shader that does not compile, rather than a limit */
  readonly failed?: true;
}

/** The device and the software that a run was measured with. */
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

/** The work of a run: the operation, the matrix, and the number of rounds. */
export interface Workload {
  readonly operation: string;
  /** sizes of the operation by name, such as tokens; absent where it has none */
  readonly sizes?: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly density: number;
  /** source of the matrix, in words */
  readonly source: string;
  /** a hash of its entries, which distinguishes matrices of one source; absent in older reports */
  readonly contents?: number;
  readonly seed: number;
  readonly memory: 'cold' | 'warm';
  /** rounds in which each kernel is timed */
  readonly rounds: number;
}

/** A number as JSON can carry it: JSON has no NaN and no infinities. */
export type ReportNumber = number | 'NaN' | 'Infinity' | '-Infinity';

/** `value`, or its name if JSON cannot carry it; -0, which JSON would lose, becomes 0. */
export function reportNumber(value: number): ReportNumber {
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

/** How a kernel's outputs compare with the oracle's, which are computed in f64. */
export interface Verification {
  readonly ok: boolean;
  /** number of outputs */
  readonly outputs: number;
  /** how many of them were compared, a random sample, if not all; the others were only checked to be written */
  readonly compared?: number;
  /**
   * largest |found - expected| / bound; at most 1 if ok, the largest finite number if an output is NaN or infinite and
   * should not be
   */
  readonly worstShare: number;
  /** the first outputs that are outside the bound */
  readonly failures: readonly {
    /** index of the output; of y = A x that is the row */
    readonly row: number;
    /** 'unwritten': the kernel did not write it */
    readonly found: ReportNumber | 'unwritten';
    /** 'any', like the bound, for an output that was not compared */
    readonly expected: ReportNumber | 'any';
    readonly bound: ReportNumber | 'any';
  }[];
  readonly failureCount: number;
  /** checked again after the timed batch */
  readonly checkedAfterTiming: boolean;
  /** samples among the timed ones whose outputs were compared; absent in older reports */
  readonly checkedWhileTimed?: number;
}

/** The tuning constants of a kernel, found by timing trials on this device. */
export interface TunedChoices {
  /** the fastest constants: { lanes: 512 } */
  readonly chosen: Readonly<Record<string, number>>;
  /** the constants without a trial */
  readonly start: Readonly<Record<string, number>>;
  /** time with `start` over time with `chosen`, in the trial; 1 if they are the same */
  readonly gain: number;
  /** sets of constants that were tried, `start` included */
  readonly tried: number;
  /** taken from an earlier run */
  readonly remembered: boolean;
}

/** Marks a kernel as a draft: a kernel that the user changed or wrote in the page. */
export interface DraftMark {
  /** id of the original kernel */
  readonly of: string;
  readonly name: string;
  readonly version: number;
}

/** The time of a format after its first rounds, before other kernels and tuning constants were tried. */
export interface FirstTime {
  readonly kernel: string;
  /** its tuning constants, if it has some */
  readonly chosen?: Readonly<Record<string, number>>;
  readonly rounds: number;
  readonly medianNs: number;
  readonly p10Ns: number;
  readonly p90Ns: number;
  /** as in `vsDense`; null if it was not compared */
  readonly ratio: number | null;
}

/** A kernel of a run, with its times and its verification. */
export interface BenchRow {
  readonly kernel: string;
  readonly format: string;
  readonly title: string;
  readonly draft?: DraftMark;
  readonly where: 'gpu' | 'cpu';
  readonly params: Readonly<Record<string, unknown>>;
  /** that a run reads and writes at least: the arrays of its plan and the inputs once, the output once */
  readonly bytes: number;
  /** of the arrays of the format; a kernel may read others, which are computed from these. Absent in older reports */
  readonly storedBytes?: number;
  /** multiply-adds of one run, for kernels that may be bound by them */
  readonly multiplyAdds?: number;
  /** absent: it ran with the constants that it has without a trial */
  readonly tuned?: TunedChoices;
  /** during a run: a trial of its constants is in progress; if they change, it is measured again */
  readonly searching?: true;
  /** absent in older reports */
  readonly first?: FirstTime;
  /** its arithmetic; absent: fma in f32 */
  readonly arithmetic?: Arithmetic;
  readonly verified: Verification;
  /** time of one run per round; empty for a kernel that failed, and on a software adapter unless requested */
  readonly samplesNs: readonly number[];
  /**
   * The round of each sample, ascending from 0: ratios are of samples of the same round. Absent if they are 0, 1, 2 and
   * so on. References are timed in every round, and so more often than the others.
   */
  readonly rounds?: readonly number[];
  /** null without samples, like the next three */
  readonly medianNs: number | null;
  readonly p10Ns: number | null;
  readonly p90Ns: number | null;
  /** `bytes` over the median, in 10^9 bytes per second */
  readonly GBps: number | null;
  /**
   * Median, p10 and p90 of per-round ratios, dense time over this time: above 1 is faster than dense. `reference`: the
   * fastest dense kernel of the same value type, or of any if there is none; `valueType`: its type, if another.
   * Null if no dense kernel was timed.
   */
  readonly vsDense: {
    readonly reference: string;
    readonly valueType?: string;
    readonly ratio: number;
    readonly p10: number;
    readonly p90: number;
  } | null;
  /** set if it reads faster than memory can: a cache served it */
  readonly cached: boolean;
  readonly runsPerSample: number;
  readonly copies: number; // of the encoded arrays, between which runs rotate, so that cold ones find none in a cache
  /** setup, apart from the steady state */
  readonly encodeMs: number;
  readonly uploadMs: number;
  readonly compileMs: number;
  readonly firstDispatchMs: number;
}
