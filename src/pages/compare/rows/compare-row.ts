/* The rows of Compare's table: the data on the matrix, or on a whole model, in each format. */

import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import type { Comparison, MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import type { RunningJob, FormatChoice, Remedy } from '../../../state/index.ts';
import type { PrefillGain } from '../../../papers/whole-gains.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';
import type { ModelView } from '../model/model-view.ts';
import type { RowMeasurement } from './measured-rows.ts';
import type { StoredVariant } from './stored-variants.ts';

/** The purpose of a row's bytes; 'kept': matrices of a model that stay dense in every format. */
export const ROLES = ['kept', ...BYTE_CLASSES] as const;

export type Role = (typeof ROLES)[number];

/** The bytes of a row with one role. */
export interface Part {
  readonly role: Role;
  readonly bytes: number;
}

/** Parameters with which a format has fewer bytes, or can store a matrix that it rejects with the current ones. */
export interface BetterParams {
  readonly stored: FormatChoice;
  /** the differing parameters: 'index bits 16' */
  readonly label: string;
  readonly bytes: number;
}

/** Further data about a row of a matrix, besides those in the table. */
export interface RowFigures {
  readonly encodeMs: number | null;
  /** the run in this browser that verified its kernel; null: none */
  readonly verification: RowMeasurement | null;
  /** its times on the visible device; `measuredNs` comes from it */
  readonly measurement: RowMeasurement | null;
  /** whether validation found no errors in the arrays; null before they exist */
  readonly isSound: boolean | null;
}

/** A row: one format that stores the matrix or the whole model. */
export interface CompareRow extends StoredVariant {
  /**
   * waiting: its bytes are being computed. open: only an encoding, which the user has to request, returns them.
   * refused: the format cannot store the matrix. failed: its encoding failed.
   */
  readonly state: 'waiting' | 'known' | 'open' | 'refused' | 'failed';
  /** null while unknown; for a rejected row, the bytes after its remedy */
  readonly bytes: number | null;
  /** for a model: the bytes that a token reads, without inactive experts; absent while unknown */
  readonly readBytes?: number;
  /** whether `bytes` come from a closed form, not from the matrix */
  readonly isExpected: boolean;
  /** null if only the sum is known */
  readonly parts: readonly Part[] | null;
  /** the reason for its number of bytes, or why it is rejected, as text */
  readonly why: string | null;
  /** for a model: the pruning that the row assumes: 'no pruning', '50 % left', '2 of every 4' */
  readonly needs: string | null;
  /** lower bound of its time on the device: from bytes or an empty dispatch; for a model, from the bytes that it reads */
  readonly minNs: number | null;
  /** its time on the visible device; null: not measured */
  readonly measuredNs: number | null;
  /** for a model: the time of a whole token on the visible device; null: not measured */
  readonly tokenNs: number | null;
  /** for a model, and a format of its activations: the speed-up of the whole model */
  readonly gain?: PrefillGain;
  /** the part of `tokenNs` that the matrices take, from the same measurement; absent if unknown */
  readonly matricesNs?: number;
  /** for a model: the density below which it is smaller than dense i4; null: never, absent: not computed */
  readonly evenWithI4?: number | null;
  /** for a rejected row: a pruning after which the format can store it, or an example that it can store; null: none */
  readonly remedy: Remedy | null;
  readonly bestParams: BetterParams | null;
  /** the encoding in progress, if it is slow */
  readonly job: RunningJob | null;
  /** null for a model */
  readonly figures: RowFigures | null;
}

/** A row without any data yet. */
export const UNKNOWN_ROW: Omit<CompareRow, keyof StoredVariant> = {
  state: 'waiting',
  bytes: null,
  isExpected: false,
  parts: null,
  why: null,
  needs: null,
  minNs: null,
  measuredNs: null,
  tokenNs: null,
  remedy: null,
  bestParams: null,
  job: null,
  figures: null,
};

/** The page's data on a model besides its rows. */
export interface ModelComparison {
  readonly shape: ModelShape;
  /** whether the model is a single layer */
  readonly isLayer: boolean;
  /** whether q, k, v are stored as one matrix, and gate and up as another */
  readonly fused: boolean;
  /** whether lm_head is pruned and stored like the other matrices */
  readonly prunesHead: boolean;
  /** length of the context in memory, in tokens */
  readonly context: number;
  /** bytes of the KV cache for `context` tokens */
  readonly contextBytes: number;
  /** kernels that a token starts, and the time to start them one after another, in ns; null for several tokens, or unknown */
  readonly starts: { readonly count: number; readonly ns: number } | null;
  /** bytes and times of the model in a format, shape by shape; null for a format without a closed form */
  readonly viewOf: (variant: StoredVariant) => ModelView | null;
  /** sets the page's address parameters of these names */
  readonly choose: (changed: Partial<{ fused: boolean; head: boolean; context: number }>) => void;
  /** Measures A, B and dense on every shape; null if nothing can be measured here. */
  readonly measure: (() => void) | null;
  /** estimated duration of `measure` */
  readonly measureMs: number;
  /** why `measure` is null, as text */
  readonly unavailable: string | null;
  /** Encodes the first rows of a matrix of every shape in a format without a closed form; null during an encoding. */
  readonly encode: ((variant: StoredVariant) => void) | null;
  readonly encoding: RunningJob | null;
  readonly cancelEncoding: () => void;
  readonly problem: string | null; // why the last encoding failed
}

/** The compared formats, with all data on them. */
export interface ComparedFormats {
  /** a layer counts as a model of one layer */
  readonly level: 'matrix' | 'model';
  /** in the order of the list of formats */
  readonly rows: readonly CompareRow[];
  /** the rows of the two chosen formats, A and B; null if not among `rows` */
  readonly a: CompareRow | null;
  readonly b: CompareRow | null;
  /** bytes of the matrix or the model in dense f16, the reference of sizes */
  readonly f16Bytes: number;
  /** density, 0 to 1 */
  readonly density: number;
  readonly tokens: number;
  /** the device whose times are visible */
  readonly visibleDevice: VisibleDevice;
  /** bytes per ns that the visible device reads; null if unknown */
  readonly readGBps: number | null;
  /** the open matrix: for a model, one of those with the most bytes */
  readonly summary: MatrixSummary;
  /** statistics of its non-zeros, and every format's verdict on them; null until counted, and for a model */
  readonly comparison: Comparison | null;
  /** present if a model is compared */
  readonly model: ModelComparison | null;
}
