import type { AnyListedFormat } from '../../../core/format.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { FormatParams } from '../../../state/index.ts';
import { sizeCurve } from '../../../kit/report/density-curves.ts';
import { bytes } from '../../../kit/words/quantity.ts';

/** Below this nobody has to be told. */
const LARGE_BYTES = 1e9;

export interface MemoryQuestion {
  readonly formats: readonly AnyListedFormat[];
  readonly params: Readonly<Record<string, FormatParams>>;
  readonly matrix: { readonly rows: number; readonly cols: number; readonly nnz: number; readonly density: number };
  /** GiB, as far as the browser tells; where it does, the worker refuses what has no room */
  readonly deviceMemory: number | undefined;
}

/**
 * What a large matrix will need where the browser does not tell how much there is, in one sentence; null otherwise. One
 * encoding is held at a time beside the matrix: the largest counts, by its closed form.
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
    .reduce((most, one) => (one.bytes > most.bytes ? one : most), { title: '', bytes: 0 });
  const need = own + largest.bytes;
  if (need < LARGE_BYTES) return null;
  return `The matrix and its largest encoding, ${largest.title}, will need about ${bytes(need)} of memory at once, and this browser does not say how much there is.`;
}
