import type { NamedFact } from '../../core/text/stated.ts';
import type { ValueNote } from '../../core/encoded/admission.ts';
import type { StoredWhole } from '../../core/encoded/ledger.ts';
import type { AnyStory } from '../../story/format-story.ts';
import type { Cell, CsrMatrix } from '../../core/matrix/index.ts';
import type { Progress } from '../../core/job.ts';
import type { BenchReport } from '../../core/report.ts';
import type { Timeline } from '../../story/timeline.ts';
import type { TwoStories } from '../stories.ts';
import type { Trace } from '../../story/trace.ts';
import type { BenchDraft, BenchRequest, SweepAxis } from '../../engine/bench/bench-types.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import type { EncodingSummary, Marginals, MatrixSummary, TensorInfo } from '../../engine/matrix/matrix-types.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import type { LinkTarget } from '../../io/web/link-target.ts';
import type { FormatParams } from '../document.ts';

// The state of a session (the page's client of the worker): results that the page shows, and jobs in progress.

/** A long task that the user waits for. */
export interface RunningJob {
  /** 'Opening fc2-70', 'Encoding as MACKO' */
  readonly title: string;
  /** null until the job reports progress */
  readonly progress: Progress | null;
  /** estimated time left, in ms; null or absent if it is unknown or short */
  readonly remainingMs?: number | null;
  readonly cancelling: boolean;
  /** whether the page began the job unasked, so that it does not cover the page */
  readonly isAutomatic?: boolean;
  /** for an opening: its matrix */
  readonly source?: MatrixSource;
}

/** The notes on how the file of a matrix was read, as one text: equal notes of the same file are equal texts. */
export function fileNotesKey({ name, read }: Pick<MatrixSummary, 'name' | 'read'>): string {
  return JSON.stringify([name, read?.otherReading ?? null, ...(read?.notes ?? [])]);
}

/** A job that has just begun. */
export function newJob(title: string): RunningJob {
  return { title, progress: null, cancelling: false };
}

/** The state of a format's encoding of the current matrix. */
export type EncodingState =
  | { readonly kind: 'waiting'; readonly params: FormatParams }
  | { readonly kind: 'running'; readonly params: FormatParams; readonly job: RunningJob }
  | { readonly kind: 'ready'; readonly params: FormatParams; readonly summary: EncodingSummary }
  | { readonly kind: 'failed'; readonly params: FormatParams; readonly reason: string }
  | { readonly kind: 'cancelled'; readonly params: FormatParams };

/** The animation of a format on a window: `story.scene(trace, step, whole)` is one of its pictures. */
export interface LoadedStory {
  readonly story: AnyStory;
  readonly trace: Trace;
  /** which values of the window become infinite or 0; absent outside Watch */
  readonly notes?: readonly ValueNote[];
  /** the open matrix in this format, once it is encoded */
  readonly wholeMatrix?: StoredWhole;
  /** numbers of the open matrix for texts, also if the format cannot store it */
  readonly wholeFacts?: readonly NamedFact[];
}

/** The story of the window (the part of the matrix that the animation shows), on the page Watch. */
export type StoryState =
  | { readonly kind: 'none' }
  /** the code of the story is being loaded; the previous picture, maybe of another window, stays until then */
  | { readonly kind: 'loading'; readonly before: LoadedStory | null }
  | ({ readonly kind: 'ready' } & LoadedStory)
  /** the code of the story failed to load: `retryStory` of the session tries again */
  | { readonly kind: 'missing'; readonly reason: string }
  /** the format rejects the window, or failed on it */
  | { readonly kind: 'failed'; readonly reason: string };

/** The story on the screen; null if no story is shown. */
export function visibleStory(state: StoryState): LoadedStory | null {
  if (state.kind === 'loading') return state.before;
  return state.kind === 'ready' ? state : null;
}

/** The last tick of a timeline, from 0. At each tick one story, or both, advances by a step. */
export function lastTick({ a }: Timeline): number {
  return a.length - 1;
}

/** The steps of both stories at a tick; without a timeline the tick itself. */
export function stepsAt(timeline: Timeline | null, tick: number): { readonly a: number; readonly b: number } {
  if (!timeline) return { a: tick, b: tick };
  const index = Math.min(tick, lastTick(timeline));
  return { a: timeline.a[index], b: timeline.b?.[index] ?? 0 };
}

/** A run of the benchmark in the list of runs, measured here or imported. */
export interface BenchRun {
  readonly id: number;
  readonly origin: 'measured' | 'imported';
  /** file name of an imported report, the workload of a measured one */
  readonly name: string;
  /** a single report, or a report for each value of a sweep */
  readonly reports: readonly BenchReport[];
  /** how to continue the run, if it was interrupted in this browser */
  readonly rest?: RunRemainder;
}

/** The data needed to continue an interrupted run. */
export interface RunRemainder {
  readonly request: BenchRequest;
  readonly axis?: SweepAxis;
}

/** How many runs this browser stores, and their size. */
export interface RunStorageState {
  readonly runs: number;
  /** bytes of their reports as text */
  readonly bytes: number;
  /** why no more can be stored; null if there is no problem */
  readonly rejection: string | null;
}

/** A version of a draft (a kernel that the user changed) with correct results, listed with its format's kernels. */
export interface DraftVariant extends BenchDraft {
  /** id of the draft */
  readonly draft: string;
  readonly format: string;
  /** id of an operation */
  readonly operation: string;
  /** parameters of the format */
  readonly params: Readonly<Record<string, unknown>>;
}

/** The unique name of a variant. */
export function variantId({ draft, mark }: Pick<DraftVariant, 'draft' | 'mark'>): string {
  return `${draft} ${mark.version}`;
}

/** The run that is being measured. */
export interface RunInProgress {
  readonly job: RunningJob;
  readonly request: BenchRequest;
  /** the run of `runs` that is growing; null before its first report */
  readonly run: number | null;
}

/** How the newest run of this visit ended. */
export interface RunEnd {
  readonly how: 'finished' | 'cancelled' | 'failed';
  readonly request: BenchRequest;
  /** number of the matrix that was open when it began */
  readonly generation: number;
  /** the run of `runs` with what was measured; null: nothing was */
  readonly run: number | null;
  /** a message about what happened; null if it finished */
  readonly message: string | null;
}

/** All benchmark runs, and their storage in this browser. */
export interface BenchState {
  readonly running: RunInProgress | null;
  /** null before the first run of this visit, and while one runs */
  readonly ended: RunEnd | null;
  /** newest first */
  readonly runs: readonly BenchRun[];
  readonly storage: RunStorageState;
}

/** A file with several matrices, waiting for the user to choose one. */
export interface TensorChoice {
  /** the file that is being opened, without a tensor */
  readonly source: MatrixSource;
  readonly tensors: readonly TensorInfo[];
}

/** A file that decompresses to more than is allowed: it was rejected, but can be opened with a higher limit. */
interface OverLimit {
  readonly source: MatrixSource;
  /** the error message: a higher limit is offered while `error` has this text */
  readonly error: string;
  /** the next limit to try */
  readonly maxDecompressedBytes: number;
}

/** All results of the worker on the page, and the jobs in progress. */
export interface SessionState {
  /** the current matrix; null only until the first has been opened */
  readonly summary: MatrixSummary | null;
  /** whether the engine has the current matrix; false after it died, until the matrix is open again */
  readonly isInWorker: boolean;
  readonly marginals: Marginals | null;
  /** the cells of the document's window; null until the first matrix is open */
  readonly window: CsrMatrix | null;
  /** the story of A, the shown format, with its trace */
  readonly trace: StoryState;
  /** the story of B, the format that A is compared with, in the same window; 'none' without B */
  readonly storyB: StoryState;
  /** the order in which `trace` and `against` are played; null before either is loaded */
  readonly timeline: Timeline | null;
  /** draws both stories as one picture; loaded with the first timeline */
  readonly joinScenes: TwoStories['joinScenes'] | null;
  /** whether window and stories show a pruning that is being chosen; all else shows the current matrix */
  readonly previewing: boolean;
  /** encodings of the current matrix, by format id */
  readonly encodings: Readonly<Record<string, EncodingState>>;
  /** the opening of another matrix; the current matrix stays until it is open */
  readonly opening: RunningJob | null;
  /** the search for rows that show what is special about format A */
  readonly seeking: Progress | null;
  /** the matrix of an address that was followed during a run: it is opened when the run has ended */
  readonly waiting: RunningJob | null;
  /** the page of a document that is being restored, visible before its matrix is open; null: none */
  readonly arriving: string | null;
  /** the file that is being written */
  readonly saving: RunningJob | null;
  /** work that measures times, such as trying the draft of a kernel: no encoding runs meanwhile */
  readonly quietWork: RunningJob | null;
  /** the tensors to choose from, until one is chosen or the list is dismissed; the current matrix stays */
  readonly choice: TensorChoice | null;
  /** the target of a link that the user has to agree to first: `answerQuestion` continues */
  readonly question: LinkTarget | null;
  /** a format in a link that the user has to agree to before it runs */
  readonly pendingConsent: {
    readonly name: string;
    readonly text: string;
    readonly answer: (agrees: boolean) => void;
  } | null;
  /** the rejected file, if `error` is a limit that the user can raise */
  readonly overLimit: OverLimit | null;
  /** `retry` repeats a load that failed over the network, while `error` is the failure's `error` */
  readonly networkFailure: { readonly error: string; readonly retry: () => void } | null;
  /** names of files that outlive a reload of this tab */
  readonly savedFiles: readonly string[];
  /** a file that the address `hash` names and that is not open: opening the file follows the address */
  readonly notOpenFile: { readonly name: string; readonly hash: string; readonly problem: string } | null;
  readonly bench: BenchState;
  /** drafts listed with the kernels until the page is closed, oldest first */
  readonly variants: readonly DraftVariant[];
  /** null until the worker has answered */
  readonly device: DeviceStatus | null;
  /** for how many seconds the GPU has not answered; null while it answers, or has been silent only shortly */
  readonly gpuSilentS: number | null;
  /** the message of the last failure, until dismissed or until the next action succeeds */
  readonly error: string | null;
  /** why A or B rejects the edited cells, or why the cell that was pressed last is unchanged */
  readonly rejectedEdit: string | null;
  /** the cell of the window that the user pressed last, to change it: stories show its row */
  readonly pressedCell: Cell | null;
  /** the notes on files that the user has read and dismissed, each set as one text */
  readonly readNotes: readonly string[];
  /** what a link or a reload could not restore, one message each, until dismissed */
  readonly problems: readonly string[];
}

/** The session at its start, when nothing is open. */
export const EMPTY_SESSION: SessionState = {
  summary: null,
  isInWorker: false,
  marginals: null,
  window: null,
  trace: { kind: 'none' },
  storyB: { kind: 'none' },
  timeline: null,
  joinScenes: null,
  previewing: false,
  encodings: {},
  opening: null,
  seeking: null,
  waiting: null,
  arriving: null,
  saving: null,
  quietWork: null,
  choice: null,
  question: null,
  pendingConsent: null,
  overLimit: null,
  networkFailure: null,
  savedFiles: [],
  notOpenFile: null,
  variants: [],
  bench: { running: null, ended: null, runs: [], storage: { runs: 0, bytes: 0, rejection: null } },
  device: null,
  gpuSilentS: null,
  error: null,
  rejectedEdit: null,
  pressedCell: null,
  readNotes: [],
  problems: [],
};
