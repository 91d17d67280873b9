import type { ByteClass } from '../../../core/encoded/ledger.ts';
import type { Comparison, MatrixSummary } from '../../../engine/matrix/types.ts';
import type { ShownDevice } from '../../../kit/devices/use-device.ts';
import type { RunningJob, Stored } from '../../../state/index.ts';
import type { WholeGain } from '../../../papers/whole-gains.ts';
import type { Remedy } from '../../../state/document.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';
import type { ModelView } from '../model/model-view.ts';
import type { MeasuredRow } from './measured-rows.ts';
import type { Way } from './ways.ts';

/** The purpose of a row's bytes: a class of the ledger, or what stays dense in a model in every format. */
export type Role = ByteClass | 'kept';

export interface Part {
  readonly role: Role;
  readonly bytes: number;
}

/** Parameters with which a format takes fewer bytes, or holds a matrix that it refuses with the current ones. */
export interface Better {
  readonly stored: Stored;
  /** what differs: 'index bits 16' */
  readonly label: string;
  readonly bytes: number;
}

/** What is known about a row of a matrix besides what the table shows. */
export interface Figures {
  readonly encodeMs: number | null;
  /** of a run here */
  readonly verified: MeasuredRow | null;
  /** on the device that answers; `measuredNs` comes from it */
  readonly measured: MeasuredRow | null;
  /** validation found no errors in the arrays; null before they exist */
  readonly isSound: boolean | null;
}

/** One way to store the subject, at the level of a matrix or of a whole model. */
export interface CompareRow extends Way {
  /**
   * waiting: its bytes are not known yet. known: they are. open: nobody knows them before encoding, which has to be asked
   * for. refused: it cannot store the subject. failed: it could, but encoding failed.
   */
  readonly state: 'waiting' | 'known' | 'open' | 'refused' | 'failed';
  /** null while unknown; for a refused row, those after its remedy */
  readonly bytes: number | null;
  /** of a model: what a token reads, without experts that it does not meet; absent while unknown */
  readonly readBytes?: number;
  /** `bytes` come from a closed form, not from the matrix */
  readonly isExpected: boolean;
  /** null if only the sum is known */
  readonly parts: readonly Part[] | null;
  /** why it takes so many bytes, or why it is refused; a sentence */
  readonly why: string | null;
  /** for a model: the pruning that the row assumes: 'no pruning', '50 %', '2 of every 4' */
  readonly needs: string | null;
  /**
   * the least time on the device: for y = A x that of its bytes or of an empty dispatch, for all matrices of a model that
   * of their bytes
   */
  readonly atMostNs: number | null;
  /** on the device that answers */
  readonly measuredNs: number | null;
  /** of a model, on that device: a whole token; null: not measured */
  readonly wholeNs: number | null;
  /** of a model, and a format of its activations: how much faster all of it is */
  readonly gain?: WholeGain;
  /** the part of its matrices, in the measurement of the whole token and in no other; absent where it is not known */
  readonly partNs?: number;
  /** of a model: the share of weights left with which it is as small as dense i4; null: it never is, absent: not asked */
  readonly sameAsI4?: number | null;
  readonly remedy: Remedy | null;
  readonly better: Better | null;
  /** an encoding in progress that takes a while */
  readonly job: RunningJob | null;
  /** of a matrix */
  readonly figures: Figures | null;
}

/** What the page knows about a model besides its rows. */
export interface ModelCompared {
  readonly shape: ModelShape;
  /** a layer alone */
  readonly isLayer: boolean;
  readonly fused: boolean;
  readonly head: boolean;
  readonly context: number;
  /** of the cache for that context */
  readonly contextBytes: number;
  /** shape by shape; null for a format without a closed form */
  readonly viewOf: (way: Way) => ModelView | null;
  readonly choose: (changed: Partial<Pick<ModelCompared, 'fused' | 'head' | 'context'>>) => void;
  /** Measures A, B and dense on every shape; null where nothing can be measured here. */
  readonly measure: (() => void) | null;
  /** about how long that takes */
  readonly measureMs: number;
  /** why `measure` is null, in a sentence */
  readonly unavailable: string | null;
  /** Encodes the first rows of a matrix of every shape in a format without a closed form; null while one is encoded. */
  readonly encode: ((way: Way) => void) | null;
  readonly encoding: RunningJob | null;
  readonly cancelEncoding: () => void;
  readonly problem: string | null;
}

/** What the page compares, with all that is known about it. */
export interface Compared {
  /** a layer counts as a model of one layer */
  readonly level: 'matrix' | 'model';
  /** in the order of the list of formats */
  readonly rows: readonly CompareRow[];
  /** the rows of A and B; null while they are not among `rows` */
  readonly a: CompareRow | null;
  readonly b: CompareRow | null;
  /** bytes of the subject in dense f16, with which sizes are compared */
  readonly f16Bytes: number;
  /** share of weights that are left, 0 to 1 */
  readonly left: number;
  readonly tokens: number;
  /** the device that answers */
  readonly shown: ShownDevice;
  /** bytes per ns of that device; null if unknown */
  readonly readGBps: number | null;
  /** the matrix that is open: of a model, one of those with the most bytes */
  readonly summary: MatrixSummary;
  /** its statistics and the formats' verdicts, with their parameters in the document; null for stand-in weights */
  readonly comparison: Comparison | null;
  /** at the level of a model */
  readonly model: ModelCompared | null;
}
