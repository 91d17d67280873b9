import type { AnyListedFormat } from '../../../core/format.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { FormatParams } from '../../../state/index.ts';
import { sizeCurve } from '../../../kit/report/density-curves.ts';
import { bytes } from '../../../kit/words/quantity.ts';

/** Matrices below this size need no note. */
const LARGE_BYTES = 1e9;

export interface MemoryQuestion {
  readonly formats: readonly AnyListedFormat[];
  readonly params: Readonly<Record<string, FormatParams>>;
  readonly matrix: { readonly rows: number; readonly cols: number; readonly nnz: number; readonly density: number };
  /** GiB, if the browser reports it; then the worker refuses whatever does not fit */
  readonly deviceMemory: number | undefined;
}

/**
 * How much memory a large matrix will need, in one sentence, if the browser does not report how much there is; null
 * otherwise. One encoding at a time is held in addition to the matrix: the largest counts, by its closed form.
 */
export function memoryNote({ formats, params, matrix, deviceMemory }: MemoryQuestion): string | null {
  if (deviceMemory !== undefined) return null;
  const { rows, cols, nnz, density } = matrix;
  const own = Math.min(rows * cols * 4, nnz * 8);
  const largest = formats
    .map((format) => {
      const set = params[format.id] ?? {};
      const bits = VALUE_BITS[set.valueType as keyof typeof VALUE_BITS] ?? 32;
      const share = sizeCurve(format, set, matrix)?.(density).expected ?? 0;
      return { title: format.title, bytes: (share * rows * cols * bits) / 8 };
    })
    .reduce((max, one) => (one.bytes > max.bytes ? one : max), { title: '', bytes: 0 });
  const need = own + largest.bytes;
  if (need < LARGE_BYTES) return null;
  return `The matrix and its largest encoding, ${largest.title}, will need about ${bytes(need)} of memory at once, and this browser does not say how much there is.`;
}
