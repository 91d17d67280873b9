import { type BenchCase, referenceValueType } from '../../core/bench/cases.ts';
import { SparseScopeError } from '../../core/errors.ts';
import { type AnyFormat, resolvedParams } from '../../core/format.ts';
import { unsuitedReason } from '../../core/kernel/kernel.ts';
import { isKernelOf } from '../../core/operations/spmv.ts';
import { referenceFormat } from '../../formats/registry.ts';
import type { BenchHost, BenchMatrix } from './bench-host.ts';
import type { BenchEntry, BenchRequest } from './bench-types.ts';

// The cases (formats with parameters, and their kernels) of a request to measure.

/** A case with all members of its format; the `format` of a BenchCase has only some. */
export interface CaseWithFormat extends BenchCase {
  readonly fullFormat: AnyFormat;
}

/**
 * The cases of the entries, and dense in each value type that they use and that it has a kernel for, so that every
 * kernel is compared with dense of its value type. Throws SparseScopeError without entries, and for a format that does
 * not exist or has no kernel of the operation.
 */
export function requestedCases(
  { formats, drafts }: Pick<BenchHost, 'formats' | 'drafts'>,
  { operation, entries, where }: BenchRequest,
  target: BenchMatrix,
): CaseWithFormat[] {
  const canCompute = (format: AnyFormat, valueType?: unknown): boolean =>
    where === 'cpu' ||
    format.kernels.some((kernel) => isKernelOf(kernel, operation) && unsuitedReason(kernel, { valueType }) === null);
  if (entries.length === 0) throw new SparseScopeError('run: found no format, expected at least one');
  const caseOf = ({
    format: id,
    params: requestParams,
    kernels,
    draft,
    recordedKernel,
  }: BenchEntry): CaseWithFormat => {
    if (draft && !drafts)
      throw new SparseScopeError(`run: found a draft of ${draft.kernel}, expected none: nothing here tries drafts`);
    const format = draft ? drafts?.draftFormat(formats, draft) : formats.find((f) => f.id === id);
    if (!format || format.id !== id) {
      throw new SparseScopeError(`run: found '${id}', expected one of ${formats.map((f) => f.id).join(', ')}`);
    }
    if (!canCompute(format)) {
      const capable = formats.filter((f) => canCompute(f)).map((f) => f.id);
      throw new SparseScopeError(
        `run: found '${id}', which has no kernel for '${operation}', expected one of ${capable.join(', ')}`,
      );
    }
    const params = resolvedParams(format.params, requestParams, target.matrix);
    return {
      format,
      fullFormat: format,
      params,
      kernels: draft ? 'all' : kernels,
      ...(recordedKernel && { recordedKernel }),
      ...(draft && { draft: { of: draft.kernel, ...draft.mark } }),
      encode: (job) => target.encode(format, params, job),
      isEncoded: () => target.isEncoded(format, params),
    };
  };
  const cases = entries.map(caseOf);
  const reference = formats.find((f) => f.id === referenceFormat.id);
  if (!reference || !canCompute(reference)) return cases;
  // Value types of dense that the request contains already.
  const requestedTypes = new Set(
    cases.filter(({ format, draft }) => format.id === reference.id && !draft).map(({ params }) => params.valueType),
  );
  const valueTypes = new Set(cases.map(({ params }) => referenceValueType(reference, params.valueType)));
  const references = [...valueTypes]
    .filter((valueType) => !requestedTypes.has(valueType) && canCompute(reference, valueType))
    .map((valueType) => caseOf({ format: reference.id, params: { valueType }, kernels: 'auto' }));
  return [...references, ...cases];
}
