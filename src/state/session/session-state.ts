import type { NamedFact } from '../../core/story/stated.ts';
import type { StoredWhole } from '../../core/encoded/ledger.ts';
import type { AnyStory } from '../../core/format.ts';
import type { Cell, CsrMatrix } from '../../core/matrix/index.ts';
import type { Progress } from '../../core/job.ts';
import type { BenchReport } from '../../core/report.ts';
import type { Timeline } from '../../core/story/timeline.ts';
import type { TwoStories } from '../stories.ts';
import type { Trace } from '../../core/story/trace.ts';
import type { BenchDraft, BenchRequest, SweepAxis } from '../../engine/bench/bench-types.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import type { EncodingSummary, Marginals, MatrixSummary, TensorInfo } from '../../engine/matrix/types.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import type { LinkTarget } from '../../io/web/link-target.ts';
import type { FormatParams } from '../document.ts';

/** A long task that a person waits for. */
export interface RunningJob {
  /** 'Opening fc2-70', 'Encoding as MACKO' */
  readonly title: string;
  /** null until the first report */
  readonly progress: Progress | null;
  /** about how long the present kind of work will take, in milliseconds; null or absent while nobody can say, or it is short */
  readonly leftMs?: number | null;
  readonly cancelling: boolean;
  /** nobody asked for it, so it does not cover the page: its result is seen where it belongs */
  readonly isUnasked?: boolean;
  /** of an opening: the matrix that it brings */
  readonly source?: MatrixSource;
}

/** A job that has just begun. */
export function newJob(title: string): RunningJob {
  return { title, progress: null, cancelling: false };
}

/** Progress of one format's encoding of the matrix. */
export type EncodingState =
  | { readonly kind: 'waiting'; readonly params: FormatParams }
  | { readonly kind: 'running'; readonly params: FormatParams; readonly job: RunningJob }
  | { readonly kind: 'ready'; readonly params: FormatParams; readonly summary: EncodingSummary }
  | { readonly kind: 'failed'; readonly params: FormatParams; readonly reason: string }
  | { readonly kind: 'cancelled'; readonly params: FormatParams };

/** A story that can be shown: `story.scene(trace, step, whole)` is one of its pictures. */
export interface LoadedStory {
  readonly story: AnyStory;
  readonly trace: Trace;
  /** the matrix on the stage as it is encoded, once it is */
  readonly whole?: StoredWhole;
  /** what is known of that matrix, whether it can be stored or not */
  readonly wholeFacts?: readonly NamedFact[];
}

/** The animation's story of the window on the stage. */
export type TraceState =
  | { readonly kind: 'none' }
  /** the code of the story is on its way; the picture of before, of another window maybe, stays until it is there */
  | { readonly kind: 'loading'; readonly before: LoadedStory | null }
  | ({ readonly kind: 'ready' } & LoadedStory)
  /** the code of the story has not arrived: `retryStory` of the session asks for it again */
  | { readonly kind: 'missing'; readonly reason: string }
  /** the format refuses the window, or failed on it */
  | { readonly kind: 'failed'; readonly reason: string };

/** The story on the screen; null when there is none. */
export function shownStory(trace: TraceState): LoadedStory | null {
  if (trace.kind === 'loading') return trace.before;
  return trace.kind === 'ready' ? trace : null;
}

/** Ticks of a timeline. */
export function tickCount({ a }: Timeline): number {
  return a.length - 1;
}

/** The steps of both stories at a tick of the player; the tick itself where no timeline says otherwise. */
export function stepsAt(timeline: Timeline | null, tick: number): { readonly a: number; readonly b: number } {
  if (!timeline) return { a: tick, b: tick };
  const at = Math.min(tick, tickCount(timeline));
  return { a: timeline.a[at], b: timeline.b?.[at] ?? 0 };
}

export interface BenchRun {
  /** counts up; stable for lists */
  readonly id: number;
  readonly origin: 'measured' | 'imported';
  /** file name of an imported report, the workload of a measured one */
  readonly name: string;
  /** one, or one per density of a sweep */
  readonly reports: readonly BenchReport[];
  /** there where the run broke off in this browser: how it goes on */
  readonly rest?: RestOfRun;
}

/** What is needed to go on with a run that broke off. */
export interface RestOfRun {
  readonly request: BenchRequest;
  /** of a sweep */
  readonly axis?: SweepAxis;
}

/** What this browser keeps of the runs. */
export interface KeptState {
  readonly runs: number;
  /** of their reports as text */
  readonly bytes: number;
  /** why it keeps nothing more, as one sentence; null while it does */
  readonly refusal: string | null;
}

/** A run that is going on. */
/** A version of a draft that was right, as one more kernel of its format for this session. */
export interface DraftVariant extends BenchDraft {
  /** id of the draft */
  readonly draft: string;
  readonly format: string;
  /** id of an operation */
  readonly operation: string;
  /** of the format */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Names a variant among all. */
export function variantId({ draft, mark }: Pick<DraftVariant, 'draft' | 'mark'>): string {
  return `${draft} ${mark.version}`;
}

export interface RunInProgress {
  readonly job: RunningJob;
  readonly request: BenchRequest;
  /** the run of `runs` that grows; null before it has anything */
  readonly run: number | null;
}

export interface BenchState {
  readonly running: RunInProgress | null;
  /** newest first */
  readonly runs: readonly BenchRun[];
  readonly kept: KeptState;
}

/** A file that holds several matrices, waiting for a person to choose one. */
export interface TensorChoice {
  /** what was to be opened, as yet without a tensor */
  readonly source: MatrixSource;
  readonly tensors: readonly TensorInfo[];
}

/** A file that was refused since it unpacks to more than is allowed: it can be opened with a higher limit. */
interface OverLimit {
  readonly source: MatrixSource;
  /** the sentence that refused it: the offer lasts while `error` says it */
  readonly error: string;
  /** the limit that would be tried next */
  readonly maxDecompressedBytes: number;
}

/** Everything on the screen that came out of the worker, and what is going on. */
export interface SessionState {
  /** the matrix on the screen; null only until the first has been opened */
  readonly summary: MatrixSummary | null;
  /** the engine holds that matrix; not after it died, until the matrix is open again */
  readonly held: boolean;
  readonly marginals: Marginals | null;
  /** the cells of the document's window, with indices from 0; null until the first matrix is there */
  readonly window: CsrMatrix | null;
  readonly trace: TraceState;
  /** the story of what the document compares with, of the same window; 'none' where it compares with nothing */
  readonly against: TraceState;
  /** the player's way through `trace` and `against`, or through the one that has a story; null before there is any */
  readonly timeline: Timeline | null;
  /** draws both stories as one picture; there with the first timeline */
  readonly joinScenes: TwoStories['joinScenes'] | null;
  /** window and stories are of a pruning that is being chosen; every other figure is of the matrix that is there */
  readonly previewing: boolean;
  /** of the matrix on the screen, by format id */
  readonly encodings: Readonly<Record<string, EncodingState>>;
  /** the matrix that is being opened; what was on the screen stays until it is there */
  readonly opening: RunningJob | null;
  /** the search for a place of the matrix in which format A does what it is known for */
  readonly seeking: Progress | null;
  /** the matrix of an address that was followed during a run: it is opened when that has ended */
  readonly waiting: RunningJob | null;
  /** the place of the document that is being restored, which is shown before its matrix is there; null: there is none, or a person has left it */
  readonly arriving: string | null;
  /** the file that is being written */
  readonly saving: RunningJob | null;
  /** the draft of a kernel that is being tried: nothing is encoded meanwhile, which would spoil its times */
  readonly trying: RunningJob | null;
  /** what to choose from, until that is done or dismissed; what was on the screen stays */
  readonly choice: TensorChoice | null;
  /** where a link leads that a person has to agree to first: `answerQuestion` goes on */
  readonly question: LinkTarget | null;
  /** a format in a link that a person has to agree to before it runs */
  readonly module: { readonly name: string; readonly text: string; readonly answer: (agrees: boolean) => void } | null;
  /** the refusal that `error` tells of can be overruled */
  readonly overLimit: OverLimit | null;
  /** what `error` tells of did not arrive over the network: it is asked for again; it lasts while `error` says it */
  readonly missed: { readonly error: string; readonly again: () => void } | null;
  /** names of files that outlive a reload of this tab */
  readonly keptFiles: readonly string[];
  /** the file of an address that this page does not hold: `problem` says so, and the address is followed once it is open */
  readonly closed: { readonly name: string; readonly hash: string; readonly problem: string } | null;
  readonly bench: BenchState;
  /** drafts listed with the kernels until the page is closed, oldest first */
  readonly variants: readonly DraftVariant[];
  /** null until the worker has answered */
  readonly device: DeviceStatus | null;
  /** the last failure as one sentence, until dismissed or until the next action succeeds */
  readonly error: string | null;
  /** what a format on the stage has against the edited cells, or against the cell that was pressed last and stays as it was */
  readonly refused: string | null;
  /** the cell of the window that was changed last, or that was pressed and stays as it was: stories stay with its row */
  readonly hand: Cell | null;
  /** what a link or a reload could not bring back, one sentence each, until dismissed */
  readonly problems: readonly string[];
}

export const EMPTY_SESSION: SessionState = {
  summary: null,
  held: false,
  marginals: null,
  window: null,
  trace: { kind: 'none' },
  against: { kind: 'none' },
  timeline: null,
  joinScenes: null,
  previewing: false,
  encodings: {},
  opening: null,
  seeking: null,
  waiting: null,
  arriving: null,
  saving: null,
  trying: null,
  choice: null,
  question: null,
  module: null,
  overLimit: null,
  missed: null,
  keptFiles: [],
  closed: null,
  variants: [],
  bench: { running: null, runs: [], kept: { runs: 0, bytes: 0, refusal: null } },
  device: null,
  error: null,
  refused: null,
  hand: null,
  problems: [],
};
