import { referenceValueType } from '../../../core/bench/reference.ts';
import { type AnyListedFormat, resolvedParams } from '../../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../../core/number/value-type.ts';
import type { SessionState } from '../../../state/index.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import type { Expected, Subject } from './roof-points.ts';

/**
 * What is known of a format on a matrix: its arrays where it was encoded, otherwise its closed form, and only where it
 * more likely than not holds a random matrix: of one with a pattern, only the matrix itself tells. Nothing where neither
 * is known. Of the format that all are compared with, both what was chosen and what that is compared with.
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
  const beside = isFull ? referenceValueType(format, chosen.valueType) : chosen.valueType;
  if (beside === chosen.valueType) return [own];
  const besideParams = { ...chosen, valueType: beside };
  const besideBytes = closedForm(format, besideParams, subject);
  const cells = { ...own, cells: String(chosen.valueType) };
  if (besideBytes === null) return [cells];
  return [{ ...own, params: besideParams, matrixBytes: besideBytes, counted: false }, cells];
}

/** Bytes of a random matrix of this size with as many non-zeros; null where it is not known, or hardly ever held. */
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
