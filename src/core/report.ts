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
  readonly workload: Workload;
  readonly rows: readonly BenchRow[];
  /** kernels that did not run, with the reason */
  readonly refused: readonly { readonly kernel: string; readonly format: string; readonly reason: string }[];
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

export interface Verification {
  readonly ok: boolean;
  /** outputs compared */
  readonly outputs: number;
  /** largest |y - ref| / bound; at most 1 when ok */
  readonly worstShare: number;
  /** the first outputs that are outside the bound */
  readonly failures: readonly {
    readonly row: number;
    readonly found: number;
    readonly expected: number;
    readonly bound: number;
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
  readonly verified: Verification;
  /** time of one run per round; empty on a software adapter and for a kernel that failed */
  readonly samplesNs: readonly number[];
  readonly medianNs: number;
  readonly p10Ns: number;
  readonly p90Ns: number;
  readonly GBps: number;
  /** of per-round ratios, dense time over this time: above 1 is faster than dense */
  readonly vsDense: { readonly ratio: number; readonly p10: number; readonly p90: number };
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
