import { countText } from '../../core/story/words.ts';
import type { Operation } from '../../core/operations/operation.ts';
import { OPERATIONS, SPMV } from '../../core/operations/index.ts';
import type { Workload } from '../../core/report.ts';
import { leftText } from '../words/shares.ts';
import { ACTIVATION_OPERATIONS } from './block-operations.ts';

function known(id: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.id === id);
}

/** An operation as a formula: Y = X Aᵀ. The id of one that this build does not know: a report may name any. */
export function formulaOf(operation: string): string {
  return known(operation)?.title ?? operation;
}

/** How a size of an operation is called in a form, an axis and a sentence: tokens. */
export function sizeLabel(operation: string, size: string): string {
  return known(operation)?.sizes[size]?.label ?? size;
}

/** What a run computed: 'Y = X Aᵀ · tokens 256'. */
export function workText({ operation, sizes = {} }: Pick<Workload, 'operation' | 'sizes'>): string {
  const named = Object.entries(sizes).map(([name, value]) => `${sizeLabel(operation, name)} ${countText(value)}`);
  return [formulaOf(operation), ...named].join(' · ');
}

/** What an output is called where one of them is wrong: of y = A x they are the rows. */
export function outputName(operation: string): 'row' | 'output' {
  return operation === SPMV.id ? 'row' : 'output';
}

/** How sparse the matrix of a run was: '30 % left', or for activations '120 non-zeros per token'. */
export function sparsityText({ operation, rows, nnz, density: share }: Workload): string {
  if (!ACTIVATION_OPERATIONS.includes(operation)) return `${leftText(share)} left`;
  return `${countText(Number((nnz / Math.max(1, rows)).toPrecision(3)))} non-zeros per token`;
}
