// The recorded counts of firing neurons of a model, and the headline about them.

import { countText, say, strong, type Words } from '../../../../src/core/text/words.ts';
import { probabilityText } from '../../../../src/kit/words/shares.ts';

/**
 * How many neurons of a model fire (are not 0) over held-out tales (short stories):
 * labs/language/public/models/ID/firing.json.
 */
export interface FiringRecord {
  readonly schema: 1;
  readonly date: string;
  readonly model: string;
  readonly tales: number;
  readonly tokens: number;
  /** number of neurons in a layer */
  readonly neurons: number;
  /** number of a layer's neurons that fire at a token: the mean over all layers, then mean and maximum by layer */
  readonly mean: number;
  readonly meanByLayer: readonly number[];
  readonly maxByLayer: readonly number[];
  /** ids of the neurons that never fire */
  readonly deadByLayer: readonly (readonly number[])[];
  /** TwELL tiles of a layer at all tokens; by layer, how many of them overflow, since more neurons fire than fit */
  readonly tiles: number;
  readonly tilesOver: readonly number[];
  /** tokens by number of firing neurons, in bins of 8, by layer */
  readonly counts: readonly (readonly number[])[];
  /** mean number of firing neurons at the first token of a tale, the second, and so on, by layer */
  readonly byPosition: readonly (readonly number[])[];
  /** the tokens that fire the most neurons, and the fewest */
  readonly maxTokens: readonly RecordedPiece[];
  readonly minTokens: readonly RecordedPiece[];
  /** equally short training runs with different weights of the L1 penalty on neurons */
  readonly l1: readonly RecordedTraining[];
  /** lower bound on the bits per byte of these tales, which no model can beat */
  readonly floor: { readonly exact: number };
}

/** A token as text, and the mean number of neurons that fire at it. */
export interface RecordedPiece {
  readonly piece: string;
  readonly mean: number;
  /** how often the token occurs in the tales */
  readonly seen: number;
}

interface RecordedTraining {
  readonly l1: number;
  readonly seconds: number;
  /** mean number of firing neurons */
  readonly firing: number;
  /** with its standard error */
  readonly bitsPerByte: number;
  readonly se: number;
}

/** Counts of firing neurons that share a bin of `counts`. */
export const COUNT_BIN = 8;

/** Parses a firing.json. Throws TypeError for anything else. */
export function readFiringRecord(value: unknown): FiringRecord {
  const record = value as Partial<FiringRecord> | null;
  const layers = record?.meanByLayer?.length ?? 0;
  const byLayer = [record?.maxByLayer, record?.deadByLayer, record?.tilesOver, record?.counts, record?.byPosition];
  const isWhole =
    record?.schema === 1 &&
    layers > 0 &&
    byLayer.every((list) => Array.isArray(list) && list.length === layers) &&
    [record.neurons, record.mean, record.tokens, record.tiles, record.floor?.exact].every(Number.isFinite) &&
    [record.l1, record.maxTokens, record.minTokens].every(Array.isArray);
  if (!isWhole) throw new TypeError('firing.json: found something else, expected a record of schema 1');
  return record as FiringRecord;
}

/** Bits per byte of this model (`modelBits`), and of the model with SwiGLU that corresponds to it; null if unknown. */
export interface ModelCosts {
  readonly modelBits: number | null;
  readonly swiglu: number | null;
}

/** A difference in bits per byte that is too small to be seen in tales. */
const UNSEEN_BITS = 0.001;

/** Two statements: how few neurons fire, whether that costs quality, and how often TwELL tiles overflow. */
export function firingHeadline(record: FiringRecord, { modelBits, swiglu }: ModelCosts): readonly Words[] {
  const { mean, neurons, tilesOver, tiles } = record;
  const comparison =
    modelBits === null || swiglu === null
      ? null
      : modelBits - swiglu < UNSEEN_BITS
        ? 'nearly as good as when'
        : 'worse than when';
  const tales = comparison === null ? '' : `, and the tales are ${comparison} all fire`;
  const overflows = tilesOver[0] === 0 ? 'none' : probabilityText(tilesOver[0] / tiles);
  return say`On average, only ${strong(`${Math.round(mean)} of ${neurons} neurons`)} per layer fire for a token${tales}. In layer 0, ${overflows} of TwELL’s tiles overflow.`;
}

/** The headline for a model in which all neurons fire. `through`: their activation, such as 'SwiGLU'. */
export function allFireWords(neurons: number, through = 'SwiGLU'): readonly Words[] {
  return say`${through} is hardly ever 0: ${strong(`all ${countText(neurons)} of ${countText(neurons)}`)} neurons fire for every token.`;
}
