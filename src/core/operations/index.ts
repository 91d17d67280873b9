import type { Operation } from '../operation.ts';
import { GEMM, GEMM_I8 } from './gemm.ts';
import { QUANTISE } from './quantise.ts';
import { SPMV } from './spmv.ts';

export { GEMM, GEMM_I8, QUANTISE, SPMV };

/** Every operation, in the order in which the interface shows them. */
export const OPERATIONS: readonly Operation[] = [SPMV, GEMM, GEMM_I8, QUANTISE];

/** The operation with this id. Throws RangeError with the known ids. */
export function operationById(id: string): Operation {
  const found = OPERATIONS.find((o) => o.id === id);
  if (!found) {
    throw new RangeError(`operation: found '${id}', expected one of ${OPERATIONS.map((o) => o.id).join(', ')}`);
  }
  return found;
}
