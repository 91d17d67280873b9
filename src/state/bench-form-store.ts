import { createStore, type StoreApi } from 'zustand/vanilla';
import { PAGE_ROUNDS } from '../core/bench/round-counts.ts';
import type { AnyListedFormat } from '../core/format.ts';
import { REFERENCE_FORMAT } from './reference-format.ts';
import type { Sizes } from '../core/operations/operation.ts';
import type { GenerateSpec } from '../generate/generate.ts';

/** Which kernels (variants) of a format run: the fastest in a short trial (auto), all, or those ticked (chosen). */
export type KernelsToRun = 'auto' | 'all' | 'chosen';

/** A part of the form that may hold an invalid number; `size NAME` is a size of the operation. */
export type FormPart = 'workload' | 'rounds' | `size ${string}`;

/** The quantity that a sweep (a series of runs) varies. */
export type SweepChoice =
  | { readonly of: 'density' }
  /** mean non-zeros per token, for each product of a feed-forward block */
  | { readonly of: 'non-zeros' }
  /** matrices of many shapes, from a paper or from the open model */
  | { readonly of: 'shape'; readonly set: 'paper' | 'model' }
  /** a size of the operation */
  | { readonly of: 'size'; readonly name: string }
  /** a parameter of one format: all of its values are compared in the same rounds */
  | { readonly of: 'param'; readonly format: string; readonly name: string };

/** The settings of a benchmark run, as entered in the form of the page Measure. */
export interface BenchForm {
  readonly operation: string;
  /** sizes that the user changed, by operation; the last valid ones */
  readonly sizes: Readonly<Record<string, Sizes>>;
  /** stage: the open matrix; generated: by `spec` */
  readonly workload: 'stage' | 'generated';
  /** the last valid one */
  readonly spec: GenerateSpec;
  /** true: A and B, the two formats that the page compares, run; false: the ticked formats */
  readonly pair: boolean;
  /** ids of the ticked formats, besides the reference */
  readonly formats: readonly string[];
  /** further value types in which the dense reference runs, to compare with */
  readonly beside: readonly string[];
  readonly variants: KernelsToRun;
  /** ids of kernels that run when variants is 'chosen' */
  readonly kernels: readonly string[];
  /** ids of drafts (kernels that the user changed) that do not run */
  readonly withoutDrafts: readonly string[];
  /** warm: the matrix may still be in a cache */
  readonly memory: 'cold' | 'warm';
  readonly rounds: number;
  /** parts of the form with an invalid number */
  readonly invalidParts: readonly FormPart[];
  readonly where: 'gpu' | 'cpu';
  /** what a sweep varies, as last chosen */
  readonly sweep: SweepChoice;
}

export type BenchFormStore = StoreApi<BenchForm>;

/** The seed of generated matrices and of the inputs of runs. */
export const SEED = 1;

/** The operation of an unchanged form; the list of operations is loaded with the benchmark. */
export const FIRST_OPERATION = 'spmv';

/** The product with several tokens at once. */
const MANY_TOKENS_OPERATION = 'gemm';

/** The operation for a format of activations: the whole feed-forward block that contains them. */
const BLOCK_OPERATION = 'forward';

/** Whether a format of this group is timed in a whole feed-forward block: formats of activations are, for one token. */
export function isTimedInBlock(group: string, tokens: number): boolean {
  return group === 'activations' && tokens === 1;
}

/** What the usual operation of a run depends on. */
export interface OperationQuery {
  readonly tokens: number;
  /** the group of format A, such as 'activations' */
  readonly group: string;
}

/**
 * The form with the usual operation: y = A x for one token, the product with all tokens for more, the feed-forward
 * block for a format of activations. Any other operation, which the user has chosen, stays. `before`: the previous
 * query.
 */
export function withUsualOperation(
  form: BenchForm,
  { tokens, group }: OperationQuery,
  before: OperationQuery | null = null,
): BenchForm {
  const isFromBefore =
    before !== null && isTimedInBlock(before.group, before.tokens) && form.operation === BLOCK_OPERATION;
  if (form.operation !== FIRST_OPERATION && form.operation !== MANY_TOKENS_OPERATION && !isFromBefore) return form;
  if (isTimedInBlock(group, tokens)) return { ...form, operation: BLOCK_OPERATION };
  if (tokens === 1) return { ...form, operation: FIRST_OPERATION };
  return {
    ...form,
    operation: MANY_TOKENS_OPERATION,
    sizes: { ...form.sizes, [MANY_TOKENS_OPERATION]: { ...form.sizes[MANY_TOKENS_OPERATION], tokens } },
    invalidParts: form.invalidParts.filter((part) => part !== 'size tokens'),
  };
}

/** The store of a new form: y = A x in the two compared formats, the open matrix, cold, on the GPU. */
export function createBenchForm(formats: readonly AnyListedFormat[]): BenchFormStore {
  return createStore<BenchForm>(() => ({
    operation: FIRST_OPERATION,
    sizes: {},
    workload: 'stage',
    spec: { pattern: 'uniform', rows: 4096, cols: 4096, density: 0.3, seed: SEED },
    pair: true,
    formats: formats.filter((f) => f.id !== REFERENCE_FORMAT).map((f) => f.id),
    beside: [],
    variants: 'auto',
    kernels: formats.flatMap((f) => f.kernels.map((k) => k.id)),
    withoutDrafts: [],
    memory: 'cold',
    rounds: PAGE_ROUNDS.default,
    invalidParts: [],
    where: 'gpu',
    sweep: { of: 'density' },
  }));
}
