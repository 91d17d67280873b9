import type { ByteClass } from '../core/encoded/ledger.ts';
import type { Shape } from '../core/format.ts';
import { Q4_SCALED_BITS } from '../core/number/index.ts';
import { expectedBytes, type StoredAs, valueBits } from './expected-bytes.ts';

/**
 * `expectedBytes` by purpose, to within what rounding of rows adds. A zero that is stored is padding with all of its slot.
 * Overhead is metadata. So is the rest of a format that stores every cell; of others, the rest is indices. Null if the format
 * has no closed form.
 */
export function expectedParts(
  stored: StoredAs,
  density: number,
  shape: Shape,
): Readonly<Record<ByteClass, number>> | null {
  const total = expectedBytes(stored, density, shape);
  if (total === null) return null;
  const { format, params } = stored;
  // Bytes of one bit for each cell.
  const bytesPerBit = (shape.rows * shape.cols) / 8;
  const overheadBytes = Math.min(total, (format.overheadBits?.(params as never, shape) ?? 0) / 8);
  const zerosAt = (at: number): number => (format.expectedZeroBits?.(at, params as never, shape) ?? 0) * bytesPerBit;
  const padding = Math.min(total - overheadBytes, zerosAt(density));
  const values = Math.min(total - overheadBytes - padding, density * bytesPerBit * valueBits(params));
  const rest = total - overheadBytes - padding - values;
  const storesAll = zerosAt(0) === bytesPerBit * valueBits(params);
  // Of values of 4 bits, scales that several share.
  const scales =
    params.valueType === 'i4' ? Math.min(rest, density * bytesPerBit * (Q4_SCALED_BITS - valueBits(params))) : 0;
  const metadata = overheadBytes + (storesAll ? rest : scales);
  return { values, indices: storesAll ? 0 : rest - scales, metadata, padding };
}
