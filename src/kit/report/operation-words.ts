import { countText } from '../../core/text/words.ts';
import type { Operation } from '../../core/operations/operation.ts';
import {
  isKernelOf,
  OPERATIONS,
  SPMV,
  SPMV_ZEROS,
  BACKWARD,
  BACKWARD_STORED,
  DOWN,
  FILL,
  FORWARD,
  GATE,
  SAMPLED_PRODUCT,
  UP_DOWN,
} from '../../core/operations/index.ts';
import type { Workload } from '../../core/report.ts';
import { densityText } from '../words/shares.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import { oversizedReason, unsuitedReason } from '../../core/kernel/kernel.ts';

/** Id of the operation that computes a whole gated feed-forward block. */
export const WHOLE_BLOCK = FORWARD.id;
/** Ids of the operations on such a block and its parts, training included, that are charted over sparsity. */
export const BLOCK_OPERATIONS: readonly string[] = [GATE.id, UP_DOWN.id, WHOLE_BLOCK, BACKWARD.id, SAMPLED_PRODUCT.id];

/** Ids of operations on activations (a matrix of tokens by neurons): sparsity is given as non-zeros per token. */
export const ACTIVATION_OPERATIONS: readonly string[] = [...BLOCK_OPERATIONS, DOWN.id, BACKWARD_STORED.id, FILL.id];

/** The operation with an id; undefined for one that this build lacks. */
function operationWithId(id: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.id === id);
}

/** An operation as a formula: Y = X Aᵀ. For an operation unknown to this build, which reports may contain, its id. */
export function formulaOf(operation: string): string {
  return operationWithId(operation)?.title ?? operation;
}

/** The name of an operation's size, such as 'tokens', in a form, an axis and a text. */
export function sizeLabel(operation: string, size: string): string {
  return operationWithId(operation)?.sizes[size]?.label ?? size;
}

/** The work of a run: 'Y = X Aᵀ · tokens 256'. */
export function workText({ operation, sizes = {} }: Pick<Workload, 'operation' | 'sizes'>): string {
  const named = Object.entries(sizes).map(([name, value]) => `${sizeLabel(operation, name)} ${countText(value)}`);
  return [formulaOf(operation), ...named].join(' · ');
}

/** What a message about incorrect outputs calls an output: 'row' for y = A x, where each row of A has an output. */
export function outputName(operation: string): 'row' | 'output' {
  return operation === SPMV.id || operation === SPMV_ZEROS.id ? 'row' : 'output';
}

/** The sparsity of a run's matrix: '30 % left', or for activations '120 non-zeros per token'. */
export function sparsityText({ operation, rows, nnz, density }: Workload): string {
  if (!ACTIVATION_OPERATIONS.includes(operation)) return `${densityText(density)} left`;
  return `${countText(Number((nnz / Math.max(1, rows)).toPrecision(3)))} non-zeros per token`;
}

/** Whether a format can compute an operation: one of its kernels supports these parameters and this many tokens. */
export function computes(
  format: Pick<AnyListedFormat, 'kernels'>,
  operation: string,
  params: Readonly<Record<string, unknown>>,
  tokens: number,
): boolean {
  return format.kernels.some(
    (kernel) =>
      isKernelOf(kernel, operation) &&
      unsuitedReason(kernel, params) === null &&
      oversizedReason(kernel, { tokens }) === null,
  );
}
