import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import type { ModelAddress } from '../../../engine/models/loaded-models.ts';
import type { BenchDraft } from '../../../engine/bench/bench-types.ts';
import type { Multiplied } from './types.ts';

/** Kernels that are to decode a model on a GPU, held to the oracle. */
export interface TryRequest {
  readonly model: ModelAddress;
  readonly pruning: Pruning | null;
  /** id of the format of the blocks' matrices, and its parameters */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** multiplies the blocks' matrices with a token: an id, or a draft; null: the first that fits and rounds nothing */
  readonly kernel: string | BenchDraft | null;
  /** id of a format with a kernel for whole feed-forward blocks, which then computes those; null: matrix by matrix */
  readonly block: string | null;
}

/** What came of it. */
export interface Tried {
  /** the kernel of the matrices that are in the format, null where none is, and that of the blocks */
  readonly kernel: string | null;
  readonly block: string | null;
  /** parameters of the block's format: those that store least and hold the neurons of a tale */
  readonly blockParams: Readonly<Record<string, unknown>> | null;
  /** the GPU is software: rates say nothing about cards */
  readonly isSoftware: boolean;
  readonly multiplied: Multiplied;
  /** logits behind so many tokens of a tale */
  readonly tokens: number;
  /** norm of their difference from the oracle's, in units of their norm; NaN if some are no numbers */
  readonly relativeError: number;
  /** that it has to stay below */
  readonly bound: number;
  /** it does, and every largest logit is the oracle's where that is ahead by more than the bound */
  readonly ok: boolean;
  /** the first token whose likeliest next one is another, although the oracle is sure of it; null: none */
  readonly firstOther: { readonly after: string; readonly found: string; readonly expected: string } | null;
  /** of a draft, what is wrong with it on the first matrix; null: nothing */
  readonly draftFault: string | null;
  /** tokens per second of this chain, and of the one that nobody has to ask for; null: not timed */
  readonly rate: number | null;
  readonly usualRate: number | null;
}
