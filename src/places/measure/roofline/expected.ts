import { referenceValueType } from '../../../core/bench/reference.ts';
import { type AnyListedFormat, resolvedParams } from '../../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../../core/number/value-type.ts';
import type { SessionState } from '../../../state/index.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import type { Expected, Subject } from './roof-points.ts';

/**
 * Known sizes of a format on a matrix: its arrays if it was encoded, otherwise its closed form, provided that it
 * probably holds a random matrix; matrices with a pattern have to be encoded. Empty if neither is known. For the
 * reference format, both the chosen parameters and those it is compared with.
 */
export function expectedOf(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  subject: Subject,
  encoding: SessionState['encodings'][string] | undefined,
): readonly (Expected | 'refused')[] {
  const { rows, cols, nnz } = subject;
  const isFull = format.id === REFERENCE_FORMAT;
  const multiplyAdds = isFull ? rows * cols : nnz;
  if (encoding?.kind === 'ready' && !encoding.summary.admission.ok) return ['refused'];
  const known = encoding?.kind === 'ready' && encoding.summary.ledger !== null ? encoding.summary : null;
  const chosen = known?.params ?? resolvedParams(format.params, params, subject);
  const matrixBytes = known?.ledger?.totalBytes ?? closedForm(format, chosen, subject);
  if (matrixBytes === null) return [];
  const own: Expected = { format: format.id, params: chosen, matrixBytes, counted: known !== null, multiplyAdds };
  const compared = isFull ? referenceValueType(format, chosen.valueType) : chosen.valueType;
  if (compared === chosen.valueType) return [own];
  const comparedParams = { ...chosen, valueType: compared };
  const besideBytes = closedForm(format, comparedParams, subject);
  const cells = { ...own, cells: String(chosen.valueType) };
  if (besideBytes === null) return [cells];
  return [{ ...own, params: comparedParams, matrixBytes: besideBytes, counted: false }, cells];
}

/** Bytes of a random matrix with this size and number of non-zeros; null if unknown, or hardly ever held. */
function closedForm(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  { rows, cols, nnz }: Subject,
): number | null {
  const density = nnz / Math.max(1, rows * cols);
  const shape = { rows, cols };
  if ((format.admissionOdds?.(density, params, shape, 'independent') ?? 1) < 0.5) return null;
  const bounds = format.expectedEffectiveDensity?.(density, params, shape);
  const bits = VALUE_BITS[params.valueType as AnyValueType];
  if (!bounds || !bits || !Number.isFinite(bounds.expected)) return null;
  return (bounds.expected * rows * cols * bits + (format.overheadBits?.(params, shape) ?? 0)) / 8;
}
