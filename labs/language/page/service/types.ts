// The requests to the service of language models, and its answers.

import type { DecodeReport } from '../../../../src/core/reports/decode-report.ts';
import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';
import type { BlockMatrix } from '../../decoders/decoder.ts';
import type { PrunedPart } from '../../decoders/quality/sensitivity.ts';
import type { Mean } from '../../decoders/quality/text-costs.ts';
import type { MatrixRecipe, Recipe } from '../../decoders/stored/recipe.ts';
import type { Verdict } from '../../tales/judge.ts';
import type { ModelShape } from '../../../../src/theory/models/model-shape.ts';

/** A matrix pruned or stored otherwise than the rest, in a request to a language model. */
export interface RequestedMatrix extends MatrixRecipe {
  /** id of its format, with parameters */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How the matrices of a model's blocks are pruned and stored. */
export interface StoredRequest {
  readonly model: ModelAddress;
  /** for all matrices without an entry in `overrides`; null: unpruned */
  readonly pruning: Pruning | null;
  /** id of the matrices' format; `params` determine how values are rounded */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly overrides?: readonly RequestedMatrix[];
  /** the calibration text for Wanda; absent: this project's tales */
  readonly calibration?: string;
}

/** A request for two texts from one prompt: by the dense model, and by the same model pruned. */
export interface WriteRequest extends StoredRequest {
  /** the beginning of the text; '' for none */
  readonly prompt: string;
  readonly seed: number;
  readonly temperature: number;
  /** maximum number of tokens, besides the prompt */
  readonly count: number;
}

/** A likely next token, with its probability under both models. */
export interface LikelyNext {
  readonly text: string;
  readonly dense: number;
  readonly pruned: number;
}

/** A token of the dense text, as the pruned model reads it. */
export interface ReadToken {
  readonly text: string;
  /**
   * bits that the pruned model needs beyond the dense one: log2 of the dense probability over the pruned. Negative if
   * the pruned model was more certain.
   */
  readonly lost: number;
  /** the token that the pruned model would draw there with the same random numbers; null: the same token */
  readonly prunedToken: string | null;
  /** sorted by the larger of the two probabilities, descending */
  readonly likely: readonly LikelyNext[];
}

/** The text that the pruned model writes by itself. */
export interface FreeText {
  /** number of tokens that it shares with the dense text, after the prompt */
  readonly firstDifference: number;
  /** the rest */
  readonly tokens: readonly string[];
}

/** New tokens: 'written' by the dense model, 'read' by the pruned one, or 'free', the pruned model's own text. */
export type WriteEvent =
  /** the prompt in tokens: the beginning of both texts */
  | { readonly kind: 'begin'; readonly prompt: readonly string[] }
  | { readonly kind: 'written'; readonly tokens: readonly string[] }
  | { readonly kind: 'read'; readonly tokens: readonly ReadToken[] }
  | { readonly kind: 'free'; readonly firstDifference: number; readonly tokens: readonly string[] };

export type OnWriteEvent = (event: WriteEvent) => void | Promise<void>;

/** Tokens per second of each model during the writing. */
export interface TokenRates {
  readonly dense: number | null;
  readonly pruned: number | null;
}

/** What is known once both texts are complete. */
export interface WritingResult {
  /** the dense text reached its end */
  readonly ended: boolean;
  /** the free text reached its end */
  readonly freeEnded: boolean;
  /** the first error of each tale; null for models that do not write tales */
  readonly verdicts: { readonly dense: Verdict; readonly free: Verdict } | null;
  /** for the dense text: its bytes after the prompt, and the bits that each model needs for them */
  readonly bytes: number;
  readonly denseBits: number;
  readonly prunedBits: number;
  readonly rates: TokenRates;
  /** where the tokens were computed */
  readonly where: 'cpu' | 'gpu';
  /** why the available GPU was not used; null: it was used, or there is none */
  readonly notOnGpu: string | null;
  /** how many matrices of the pruned model were multiplied in the format; null if unknown */
  readonly multiplied: FormatUse | null;
}

/** How the matrices in the blocks of the pruned model were multiplied. */
export interface FormatUse {
  /** number of matrices in the format; all others were dense */
  readonly inFormat: number;
  /** why the first dense matrix was not in the format; null: all were */
  readonly rejection: string | null;
}

/** Bytes of a matrix of a block as a format stores it. */
export interface StoredMatrix {
  readonly layer: number;
  readonly name: BlockMatrix;
  /** null if the format does not support the matrix, for the reason `reason` */
  readonly bytes: number | null;
  readonly reason?: string;
}

/** Called with each batch of new matrices. */
export type OnStoredMatrix = (matrices: readonly StoredMatrix[]) => void | Promise<void>;

/** A text to write, for the neurons that fire at each of its tokens. */
export interface FiringRequest extends Pick<WriteRequest, 'model' | 'prompt' | 'seed' | 'temperature' | 'count'> {}

/** The neurons of a layer that fire at a token, ascending, and their values. */
export interface FiredLayer {
  readonly neurons: Uint16Array;
  readonly values: Float32Array;
}

/** A token of a text (`piece`), with its firing neurons. */
export interface FiredToken {
  readonly piece: string;
  readonly layers: readonly FiredLayer[];
}

export type OnFired = (tokens: readonly FiredToken[]) => void | Promise<void>;

/** A model with its pruning and format, for the time of a token; `format` null: dense. */
export interface TimesRequest {
  readonly model: ModelAddress;
  readonly pruning: Pruning | null;
  readonly format: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The time of a token, in nanoseconds. */
export interface TokenTimes {
  readonly where: 'cpu' | 'gpu';
  /** time of a token by the wall clock, among consecutively written tokens; null: every text ended too soon */
  readonly writtenNs: number | null;
  /** times of a token whose GPU commands were all encoded before they ran; null on the CPU */
  readonly queued: {
    readonly tokenNs: number;
    /** timed by the GPU, not by the wall clock */
    readonly isByGpu: boolean;
    /** dispatches of each kind. Each kind is timed alone, so the times need not add up to the time of a token. */
    readonly kinds: Readonly<Record<string, { readonly launches: number; readonly ns: number }>>;
  } | null;
}

/** A request to verify and time whole tokens at the sizes of a model, with the matrices of its blocks in a format. */
export interface DecodeRequest {
  readonly model: ModelShape;
  /** id of a format */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** share of weights left, above 0 */
  readonly density: number;
}

/** Called with the results so far. */
export type OnDecodeReport = (report: DecodeReport) => void | Promise<void>;

/** One matrix of a model, as a file. */
export interface MatrixFileRequest {
  readonly model: ModelAddress;
  readonly at: { readonly layer: number; readonly name: BlockMatrix };
  /** the pruning of the whole model; null: unpruned */
  readonly pruned: Pick<StoredRequest, 'pruning' | 'overrides' | 'calibration'> | null;
}

/** A matrix as a safetensors file. */
export interface MatrixFile {
  readonly name: string;
  readonly blob: Blob;
}

/** A pruned and rounded model to be measured. */
export interface QualityRequest {
  readonly model: ModelAddress;
  readonly recipe: Recipe;
  /** total number of tales to predict, including earlier calls */
  readonly tales: number;
  /** total number of tales to write and check for errors */
  readonly judged: number;
}

/** The results for a model so far. All models are measured on the same tales. */
export interface MeasuredQuality {
  /** number of predicted tales, and their bytes */
  readonly tales: number;
  readonly bytes: number;
  readonly bitsPerByte: number;
  /** standard error of `bitsPerByte`; NaN for fewer than two tales */
  readonly se: number;
  /** lower bound on the bits per byte of the same tales */
  readonly floor: number;
  /** bits of a tale above the floor, over all tales */
  readonly lost: Mean;
  /** bits of every tale */
  readonly bits: readonly number[];
  /** number of tales written and checked by tales/judge.ts, and of those without an error */
  readonly judged: number;
  readonly unbroken: number;
  /** for each kind of error ('spelling', 'grammar'): number of tales that begin to go wrong with it */
  readonly firstBroken: Readonly<Record<string, number>>;
  /** where the results were computed: both, if begun on the GPU and ended on the CPU */
  readonly where: readonly ('gpu' | 'cpu')[];
}

export type OnQuality = (measured: MeasuredQuality) => void | Promise<void>;

/** A pruned and rounded model, and a text for it to predict. */
export interface UserTextRequest {
  readonly model: ModelAddress;
  readonly recipe: Recipe;
  readonly text: string;
}

/** The cost of a text under a model. */
export interface UserTextQuality {
  readonly bits: number;
  /** predicted bytes: for a model without a beginning token (bos), all but the first token of each piece */
  readonly bytes: number;
  readonly tokens: number;
  /** number of pieces in which the text was read: each starts anew */
  readonly pieces: number;
  readonly where: 'gpu' | 'cpu';
}

/** A request to prune each part of a model alone, row by row to a density, and measure the beginning of a text. */
export interface PartsRequest {
  readonly model: ModelAddress;
  readonly text: string;
  readonly density: number;
}

/** Called with the extra bits of the text's beginning when each part is measured. */
export type OnPartLoss = (part: PrunedPart, lost: number) => void | Promise<void>;

/** The measured beginning of the text, and its bits under the unpruned model. */
export interface MeasuredParts {
  readonly tokens: number;
  readonly bits: number;
}
