import type { DecodeReport } from '../../../../core/reports/decode-report.ts';
import type { Pruning } from '../../../../engine/matrix/pruning-way.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';
import type { BlockMatrix } from '../../decoders/decoder.ts';
import type { OwnStored } from '../../decoders/stored/recipe.ts';
import type { Verdict } from '../../tales/judge.ts';
import type { ModelShape } from '../../../../theory/models/model-shape.ts';

/** A matrix with its own pruning and format; it shares the rest with the others. */
export interface OwnMatrix extends OwnStored {
  /** id of the format that it is stored in, and its parameters */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How the matrices of a model's blocks are pruned and stored. */
export interface StoredRequest {
  readonly model: ModelAddress;
  /** for all matrices without their own pruning; null: none of them is pruned */
  readonly pruning: Pruning | null;
  /** id of the format of all others, and its parameters: their values are those that it stores */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly own?: readonly OwnMatrix[];
  /** the text that Wanda takes its inputs from; absent: this project's tales */
  readonly calibration?: string;
}

/** What a model is to write, and how the other one is pruned. */
export interface WriteRequest extends StoredRequest {
  /** what the text begins with; '' for a text from nothing */
  readonly prompt: string;
  readonly seed: number;
  readonly temperature: number;
  /** tokens at most, besides the prompt */
  readonly count: number;
}

/** One of the most likely next tokens after a text, under both models. */
export interface Likely {
  readonly text: string;
  /** probabilities */
  readonly dense: number;
  readonly pruned: number;
}

/** A token of the dense text, as the pruned model reads it. */
export interface HeldToken {
  readonly text: string;
  /**
   * bits that the pruned model lost there: log2 of the dense probability over the pruned one. Negative where the pruned
   * model was more certain.
   */
  readonly lost: number;
  /** what the pruned model would have written with the same noise; null: the same */
  readonly would: string | null;
  /** by the larger of the two probabilities, falling */
  readonly likely: readonly Likely[];
}

/** The text that the pruned model writes on its own. */
export interface FreeText {
  /** tokens of the dense text that it begins with, after the prompt */
  readonly fork: number;
  /** the others */
  readonly tokens: readonly string[];
}

/** What arrives while two models write. Tokens are those that are new. */
export type WriteEvent =
  /** the prompt in tokens: the beginning of both texts */
  | { readonly kind: 'begin'; readonly prompt: readonly string[] }
  | { readonly kind: 'written'; readonly tokens: readonly string[] }
  | { readonly kind: 'held'; readonly tokens: readonly HeldToken[] }
  | { readonly kind: 'free'; readonly fork: number; readonly tokens: readonly string[] };

export type OnWriteEvent = (event: WriteEvent) => void | Promise<void>;

/** Tokens per second of each model while they wrote. */
export interface Rates {
  readonly dense: number | null;
  readonly pruned: number | null;
}

/** What is known once both texts are there. */
export interface Written {
  /** the dense text reached its end */
  readonly ended: boolean;
  /** so did the free one */
  readonly freeEnded: boolean;
  /** null for models that write no tales */
  readonly verdicts: { readonly dense: Verdict; readonly free: Verdict } | null;
  /** of the dense text: its bytes after the prompt, and the bits that each model needs for them */
  readonly bytes: number;
  readonly denseBits: number;
  readonly prunedBits: number;
  readonly rates: Rates;
  /** where the tokens were computed */
  readonly where: 'cpu' | 'gpu';
  /** why not on the available GPU, as found and expected; null: it ran there, or there is no GPU */
  readonly notOnGpu: string | null;
  /** null where it is not known */
  readonly multiplied: Multiplied | null;
}

/** How the matrices in the blocks of the pruned model were multiplied. */
export interface Multiplied {
  /** those in the format; all others were dense */
  readonly inFormat: number;
  /** why the first of the others was dense; null where none was */
  readonly refusal: string | null;
}

/** Bytes of a matrix of a block as a format stores it. */
export interface StoredMatrix {
  readonly layer: number;
  readonly name: BlockMatrix;
  /** null where the format does not hold it: `reason` says why */
  readonly bytes: number | null;
  readonly reason?: string;
}

/** Called with the matrices that are new. */
export type OnStoredMatrix = (matrices: readonly StoredMatrix[]) => void | Promise<void>;

/** A text whose neurons are shown. */
export interface FiringRequest extends Pick<WriteRequest, 'model' | 'prompt' | 'seed' | 'temperature' | 'count'> {}

/** The neurons of a layer that fire at a token, ascending, and what they are. */
export interface FiredLayer {
  readonly neurons: Uint16Array;
  readonly values: Float32Array;
}

/** A token of a text, with what fires while the model reads it. */
export interface FiredToken {
  readonly piece: string;
  readonly layers: readonly FiredLayer[];
}

export type OnFired = (tokens: readonly FiredToken[]) => void | Promise<void>;

/** A model whose token is timed, pruned and stored in a format; `format` null: dense. */
export interface TimesRequest {
  readonly model: ModelAddress;
  readonly pruning: Pruning | null;
  readonly format: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How long a token takes, in nanoseconds. */
export interface TokenTimes {
  readonly where: 'cpu' | 'gpu';
  /** of tokens that are written one after the other, by the wall clock; null: every text ended too soon to tell */
  readonly writtenNs: number | null;
  /** of a token that was encoded before it ran; null on the CPU */
  readonly encoded: {
    readonly tokenNs: number;
    readonly isByGpu: boolean;
    /** dispatches of each kind. Each kind is timed alone, so the times need not add up to that of a token. */
    readonly kinds: Readonly<Record<string, { readonly launches: number; readonly ns: number }>>;
  } | null;
}

/** Whole tokens at the sizes of a model, with the matrices of its blocks in a format. */
export interface DecodeRequest {
  readonly model: ModelShape;
  /** id of a format */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** share of the weights that is left, above 0 */
  readonly density: number;
}

/** What is known so far. */
export type OnDecodeReport = (report: DecodeReport) => void | Promise<void>;

/** One matrix of a model, as a file. */
export interface MatrixFileRequest {
  readonly model: ModelAddress;
  readonly at: { readonly layer: number; readonly name: BlockMatrix };
  /** how the whole model is pruned; null: as it came */
  readonly pruned: Pick<StoredRequest, 'pruning' | 'own' | 'calibration'> | null;
}

/** A matrix as a safetensors file. */
export interface MatrixFile {
  readonly name: string;
  readonly blob: Blob;
}
