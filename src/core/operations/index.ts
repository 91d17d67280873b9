import type { Operation } from './operation.ts';
import { DOWN, FORWARD, FORWARD_STORING, GATE, UP_DOWN } from './feed-forward.ts';
import { GEMM, GEMM_I8 } from './gemm.ts';
import { CONVERT, FILL, TRANSPOSE, UNPACK } from './conversions.ts';
import { QUANTISE } from './quantise.ts';
import { SPMV, SPMV_ZEROS } from './spmv.ts';
import { BACKWARD, BACKWARD_STORED, SAMPLED_PRODUCT, UPDATE } from './training.ts';

export * from './conversions.ts';
export * from './feed-forward.ts';
export * from './gemm.ts';
export * from './quantise.ts';
export * from './spmv.ts';
export * from './training.ts';

/** Every operation that kernels compute (products, pruning, parts of training), in the order of the page. */
export const OPERATIONS: readonly Operation[] = [
  SPMV,
  SPMV_ZEROS,
  GEMM,
  GEMM_I8,
  QUANTISE,
  GATE,
  UP_DOWN,
  DOWN,
  FORWARD,
  FORWARD_STORING,
  BACKWARD,
  BACKWARD_STORED,
  SAMPLED_PRODUCT,
  UPDATE,
  CONVERT,
  FILL,
  UNPACK,
  TRANSPOSE,
];

/** The operation with this id. Throws RangeError with the known ids. */
export function operationById(id: string): Operation {
  const operation = OPERATIONS.find((o) => o.id === id);
  if (!operation) {
    throw new RangeError(`operation: found '${id}', expected one of ${OPERATIONS.map((o) => o.id).join(', ')}`);
  }
  return operation;
}
