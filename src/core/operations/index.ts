import type { Operation } from './operation.ts';
import { DOWN, FORWARD, FORWARD_STORING, GATE, UP_DOWN } from './feed-forward.ts';
import { GEMM, GEMM_I8 } from './gemm.ts';
import { CONVERT, FILL, TRANSPOSE, UNPACK } from './conversions.ts';
import { QUANTISE } from './quantise.ts';
import { SPMV } from './spmv.ts';
import { BACKWARD, BACKWARD_STORED, SAMPLED_PRODUCT, UPDATE } from './training.ts';

export {
  BACKWARD,
  BACKWARD_STORED,
  CONVERT,
  DOWN,
  FILL,
  FORWARD,
  FORWARD_STORING,
  GATE,
  GEMM,
  GEMM_I8,
  QUANTISE,
  SAMPLED_PRODUCT,
  SPMV,
  TRANSPOSE,
  UP_DOWN,
  UPDATE,
};

/** Every operation, in the order of the interface. */
export const OPERATIONS: readonly Operation[] = [
  SPMV,
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
  const found = OPERATIONS.find((o) => o.id === id);
  if (!found) {
    throw new RangeError(`operation: found '${id}', expected one of ${OPERATIONS.map((o) => o.id).join(', ')}`);
  }
  return found;
}
