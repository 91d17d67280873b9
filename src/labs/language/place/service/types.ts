import type { DecodeReport } from '../../../../core/reports/decode-report.ts';
import type { Pruning } from '../../../../engine/matrix/source-types.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';
import type { BlockMatrix } from '../../decoders/decoder.ts';
import type { PrunedPart } from '../../decoders/quality/sensitivity.ts';
import type { Mean } from '../../decoders/quality/text-costs.ts';
import type { MatrixRecipe, Recipe } from '../../decoders/stored/recipe.ts';
import type { Verdict } from '../../tales/judge.ts';
import type { ModelShape } from '../../../../theory/models/model-shape.ts';

/** A matrix with its own pruning and format. This file has the requests and results of the service for models that write. */
export interface RequestedMatrix extends MatrixRecipe {
  /** id of its format, with parameters */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How the matrices of a model's blocks are pruned and stored. */
export interface StoredRequest {
  readonly model: ModelAddress;
  /** for all matrices without their own pruning; null: unpruned */
  readonly pruning: Pruning | null;
  /** id of the format of all others, with parameters: it determines the stored values */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly own?: readonly RequestedMatrix[];
  /** the text from which Wanda takes its inputs; absent: this project's tales */
  readonly calibration?: string;
}

/** A request for two texts: the prompt, and the pruning of the second model. */
export interface WriteRequest extends StoredRequest {
  /** the beginning of the text; '' for none */
  readonly prompt: string;
  readonly seed: number;
  readonly temperature: number;
  /** maximum number of tokens, besides the prompt */
  readonly count: number;
}

/** One of the most likely next tokens after a text, under both models. */
export interface LikelyNext {
  readonly text: string;
  /** probabilities */
  readonly dense: number;
  readonly pruned: number;
}

/** A token of the dense text, as the pruned model reads it. */
export interface ReadToken {
  readonly text: string;
  /**
   * bits that the pruned model lost there: log2 of the dense probability over the pruned one. Negative if the pruned model was
   * more certain.
   */
  readonly lost: number;
  /** the token that the pruned model would draw there, with the same noise; null: the same one */
  readonly prunedToken: string | null;
  /** by the larger of the two probabilities, descending */
  readonly likely: readonly LikelyNext[];
}

/** The text that the pruned model writes by itself. */
export interface FreeText {
  /** number of tokens that it shares with the dense text, after the prompt */
  readonly fork: number;
  /** the rest */
  readonly tokens: readonly string[];
}

/** An event while two models write, with the new tokens. */
export type WriteEvent =
  /** the prompt in tokens: the beginning of both texts */
  | { readonly kind: 'begin'; readonly prompt: readonly string[] }
  | { readonly kind: 'written'; readonly tokens: readonly string[] }
  | { readonly kind: 'read'; readonly tokens: readonly ReadToken[] }
  | { readonly kind: 'free'; readonly fork: number; readonly tokens: readonly string[] };

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
  /** null for models that do not write tales */
  readonly verdicts: { readonly dense: Verdict; readonly free: Verdict } | null;
  /** for the dense text: its bytes after the prompt, and the bits that each model needs for them */
  readonly bytes: number;
  readonly denseBits: number;
  readonly prunedBits: number;
  readonly rates: TokenRates;
  /** where the tokens were computed */
  readonly where: 'cpu' | 'gpu';
  /** why not on the available GPU, as found and expected; null: it ran there, or there is none */
  readonly notOnGpu: string | null;
  /** null if unknown */
  readonly multiplied: FormatUse | null;
}

/** How the matrices in the blocks of the pruned model were multiplied. */
export interface FormatUse {
  /** number of those in the format; all others were dense */
  readonly inFormat: number;
  /** why the first of the others was dense; null if there are none */
  readonly refusal: string | null;
}

/** Bytes of a matrix of a block as a format stores it. */
export interface StoredMatrix {
  readonly layer: number;
  readonly name: BlockMatrix;
  /** null if the format cannot hold it: `reason` says why */
  readonly bytes: number | null;
  readonly reason?: string;
}

/** Called with each batch of new matrices. */
export type OnStoredMatrix = (matrices: readonly StoredMatrix[]) => void | Promise<void>;

/** A text whose neurons are shown. */
export interface FiringRequest extends Pick<WriteRequest, 'model' | 'prompt' | 'seed' | 'temperature' | 'count'> {}

/** The neurons of a layer that fire at a token, ascending, and their values. */
export interface FiredLayer {
  readonly neurons: Uint16Array;
  readonly values: Float32Array;
}

/** A token of a text, with its firing neurons. */
export interface FiredToken {
  readonly piece: string;
  readonly layers: readonly FiredLayer[];
}

export type OnFired = (tokens: readonly FiredToken[]) => void | Promise<void>;

/** A model whose token is timed, with its pruning and format; `format` null: dense. */
export interface TimesRequest {
  readonly model: ModelAddress;
  readonly pruning: Pruning | null;
  readonly format: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The time of a token, in nanoseconds. */
export interface TokenTimes {
  readonly where: 'cpu' | 'gpu';
  /** for consecutively written tokens, by the wall clock; null: every text ended too soon */
  readonly writtenNs: number | null;
  /** for a token that was encoded before it ran; null on the CPU */
  readonly encoded: {
    readonly tokenNs: number;
    readonly isByGpu: boolean;
    /** dispatches of each kind. Each kind is timed alone, so the times need not add up to that of a token. */
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
  readonly pruned: Pick<StoredRequest, 'pruning' | 'own' | 'calibration'> | null;
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
  /** total number of tales to predict, including those of earlier calls */
  readonly tales: number;
  /** total number of tales to write for the judge */
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
  /** bits per tale above the floor, tale by tale */
  readonly lost: Mean;
  /** bits of every tale */
  readonly bits: readonly number[];
  /** number of tales written for the judge, and of those that broke no law (tales/judge.ts: spelling, grammar, owner ...) */
  readonly judged: number;
  readonly unbroken: number;
  /** for each law, in how many tales it broke first */
  readonly firstBroken: Readonly<Record<string, number>>;
  /** where it was computed: on a device as long as there was one */
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
  /** predicted bytes: for a model without a mark before texts, all but the first token of each piece */
  readonly bytes: number;
  readonly tokens: number;
  /** number of pieces in which the text was read: each starts anew */
  readonly pieces: number;
  readonly where: 'gpu' | 'cpu';
}

/** A text whose beginning shows which parts of a model hurt if they alone are pruned, row by row, to a density. */
export interface PartsRequest {
  readonly model: ModelAddress;
  readonly text: string;
  readonly density: number;
}

/** Called with the extra bits of the text's beginning when each part is measured. */
export type OnPartLoss = (part: PrunedPart, lost: number) => void | Promise<void>;

/** The measured beginning, and its cost under the unpruned model. */
export interface MeasuredParts {
  readonly tokens: number;
  readonly bits: number;
}
