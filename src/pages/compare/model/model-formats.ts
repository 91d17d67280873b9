import type { AnyListedFormat } from '../../../core/format.ts';
import { SPMV } from '../../../core/operations/index.ts';
import { valueTypesOf } from '../../../state/index.ts';

/** Formats in which Compare stores a whole model: for weights, with a closed-form size and a kernel for one token. */
export function modelFormats(formats: readonly AnyListedFormat[]): readonly AnyListedFormat[] {
  return formats.filter((format) => reasonAgainst(format) === null);
}

/** Why a format is left out, as text that follows names of formats; null if it is not left out. */
function reasonAgainst(format: AnyListedFormat): string | null {
  if (!isForWeights(format)) return 'made for activations';
  if (!format.expectedEffectiveDensity) return 'its size depends on the matrix';
  return format.kernels.some(({ operation }) => operation === SPMV.id) ? null : 'no kernel for one token';
}

/** The formats left out and why, as text; null if there are none. */
export function leftOutText(formats: readonly AnyListedFormat[]): string | null {
  const byReason = new Map<string, string[]>();
  for (const format of formats) {
    const reason = reasonAgainst(format);
    if (reason !== null) byReason.set(reason, [...(byReason.get(reason) ?? []), format.title]);
  }
  if (byReason.size === 0) return null;
  const parts = [...byReason].map(([reason, titles]) => `${titles.join(' and ')} (${reason})`);
  return `Missing here: ${parts.join('; ')}.`;
}

/** Whether a format stores weights. Those for activations exist only in bf16. */
export function isForWeights(format: AnyListedFormat): boolean {
  const types = valueTypesOf(format);
  return types.length === 0 || types.some((type) => type !== 'bf16');
}
