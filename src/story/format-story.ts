import type { Support } from '../core/encoded/admission.ts';
import type { StorageLedger, StoredWhole } from '../core/encoded/ledger.ts';
import type { AnyListedFormat } from '../core/format.ts';
import type { Matrix } from '../core/matrix/index.ts';
import type { Frame } from './frames.ts';
import type { Question } from './question.ts';
import type { Scene } from './scene.ts';
import type { StepKind } from './step-kind.ts';
import type { StoredArray } from './stored-bytes.ts';
import type { Trace } from './trace.ts';

/**
 * The story of a format: the animation of a window, a part of a matrix, as it is encoded and multiplied step by step.
 *
 * @typeParam P the parameters
 * @typeParam D the details of a trace's steps that its scenes need
 */
export interface FormatStory<P, D = unknown> {
  /** Like `SparseFormat.admits`: a window that is not supported has no story, unless `tracesRejected` is true. */
  admits(m: Matrix, p: P): Support;
  /** The steps of encode and multiply on a window of at most 64 × 64. Never empty. */
  trace(m: Matrix, p: P): Trace<D>;
  /**
   * Whether a window that is not supported still has a story: it is changed so that it fits, and the trace is about the
   * changed window. Default: it has none.
   */
  tracesRejected?(m: Matrix, p: P): boolean;
  /** Kernel files, below shaders/, from which scenes quote lines. Default: none. */
  readonly quotes?: readonly string[];
  /**
   * The picture after step number `step` of the trace; 0: the initial state, which mentions the bytes of `whole`, the
   * matrix that contains the window, if its encoding is known. Pure.
   */
  scene(t: Trace<D>, step: number, whole?: StoredWhole): Scene;
  /** Bytes of the encoded window, array by array. */
  ledger?(t: Trace<D>): StorageLedger;
  /** The arrays of the encoded window, byte by byte. */
  bytes?(t: Trace<D>): readonly StoredArray[];
  /** The kind of a step, by which frames are chosen. Default: from what it does (`Effect` in trace.ts). Pure. */
  kindOf?(t: Trace<D>, step: D): StepKind;
  /** Its 3 to 12 frames (text and picture), questions not counted. Default: chosen from its trace. Pure. */
  frames?(t: Trace<D>): readonly Frame[];
  /** The first and the last frame, if the story has no `frames`. Default: chosen as well. Pure. */
  ends?(t: Trace): readonly [first: Frame, last: Frame];
  /** Questions about a trace, for lessons. Default: none. */
  readonly questions?: readonly Question[];
}

/** A story with its types erased, as `AnyFormat` is a format. */
// oxlint-disable-next-line typescript/no-explicit-any -- one list of the page contains the stories of different formats
export type AnyStory = FormatStory<any>;

/** Loads the story of a format. Rejects if its code cannot be loaded. */
export function loadStory(format: Pick<AnyListedFormat, 'story'>): Promise<AnyStory> {
  // Cards declare that they load a FormatStory; the list of formats has erased its type.
  return format.story() as Promise<AnyStory>;
}
