import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { AnyFormat } from '../format.ts';
import type { Job, Perform } from '../job.ts';
import { type Pace, throwIfCancelled } from '../pace.ts';
import type { BenchReport, DraftMark, Workload } from '../report.ts';
import type { Timeline } from './timeline.ts';

/** The members of a format that a measurement uses. */
export type BenchFormat = Pick<
  AnyFormat,
  'id' | 'title' | 'encodeSteps' | 'decode' | 'storage' | 'multiply' | 'kernels' | 'effort'
>;

/** One format with its parameters, to be verified and timed. */
export interface BenchCase {
  readonly format: BenchFormat;
  readonly params: Readonly<Record<string, unknown>>;
  /** auto: the fastest that fits, chosen by a short measured trial; all: every variant that fits; or ids. GPU only. */
  readonly kernels: 'auto' | 'all' | readonly string[];
  /** with 'auto', the kernel to time first: the choice of a similar card and matrix, with its numbers */
  readonly known?: KnownKernel;
  /** set for a draft, which is then the only kernel of its format here */
  readonly draft?: DraftMark;
  /**
   * Encodes the matrix, or returns an earlier encoding with the time that it took. Called again when a lost device has
   * to be refilled. Throws FormatError when the format cannot hold the matrix.
   */
  encode(job: Job): Promise<{ readonly encoded: EncodedMatrix; readonly encodeMs: number }>;
  /** Whether `encode` returns an earlier encoding; default: false. */
  readonly isEncoded?: () => boolean;
}

/** A kernel, and the numbers that a trial found for it. */
export interface KnownKernel {
  readonly kernel: string;
  readonly chosen?: Readonly<Record<string, number>>;
}

export interface BenchOptions {
  /** name and version of the application, for the report */
  readonly app: string;
  readonly workload: Workload;
  /** id of the format that the others are compared with; without it in the run there are no ratios */
  readonly reference: string;
  /** the reference's value type for cells of a given one (`referenceValueType`); default: the same */
  readonly comparedWith?: (valueType: unknown) => unknown;
  /** Whether the page is hidden: browsers slow hidden pages down, so timing waits, and such rounds are repeated. */
  readonly isHidden?: () => boolean;
  /**
   * Receives the report so far, with `unfinished`: as soon as a case has joined, then about once a second, and when the
   * run ends for whatever reason. Measuring pauses until the callback is done.
   */
  readonly onReport?: (report: BenchReport) => void | Promise<void>;
  /** other threads, for the reference; default: none */
  readonly perform?: Perform;
  /** receives background work of the run */
  readonly timeline?: Timeline;
  /** `workload.rounds` is how many there are at most: they end once every median is known well. */
  readonly endsEarly?: boolean;
  /** Results of an earlier session of this run: they are kept, and only missing ones are measured. */
  readonly before?: BenchReport;
}

/** How often to check whether the page is still hidden. */
const HIDDEN_POLL_MS = 250;

/** Waits until the page is visible. Throws CancelledError. */
export async function whenVisible({ isHidden }: Pick<BenchOptions, 'isHidden'>, job: Job, pace: Pace): Promise<void> {
  while (isHidden?.()) {
    job.report({ what: 'waiting because the page is hidden', done: 0, total: 1 });
    await pace.pause(HIDDEN_POLL_MS);
    throwIfCancelled(job);
  }
}

/** The report's note on rounds that were measured while the page was hidden; none without such rounds. */
export function droppedNotes(rounds: number): readonly string[] {
  if (rounds === 0) return [];
  return [`${rounds} ${rounds === 1 ? 'round was' : 'rounds were'} dropped and repeated: the page was hidden`];
}
