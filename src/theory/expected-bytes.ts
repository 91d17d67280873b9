import type { ByteClass } from '../core/encoded/ledger.ts';
import { type AnyListedFormat, type FormatCard, type Placement, resolvedParams, type Shape } from '../core/format.ts';
import { type AnyValueType, Q4_SCALED_BITS, VALUE_BITS } from '../core/number/index.ts';

/** A format with its parameters, reduced to the properties that determine the size of a matrix. */
export interface SizedFormat {
  readonly format: Pick<
    FormatCard<never>,
    'expectedEffectiveDensity' | 'overheadBits' | 'admissionOdds' | 'expectedZeroBits'
  >;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Bytes of a uniformly random matrix in a format, by the format's closed form: effective density × rows × cols × bits
 * of a value / 8, plus its overhead. Null if the format has no closed form.
 */
export function expectedBytes({ format, params }: SizedFormat, density: number, shape: Shape): number | null {
  // Called as a method of the format, which alone knows the type of its parameters.
  const bounds = format.expectedEffectiveDensity?.(density, params as never, shape);
  if (!bounds || !Number.isFinite(bounds.expected)) return null;
  const overheadBits = format.overheadBits?.(params as never, shape) ?? 0;
  return (bounds.expected * shape.rows * shape.cols * valueBits(params) + overheadBits) / 8;
}

/** Whether a format supports a random matrix with this placement of non-zeros, with a probability of at least 1/2. */
export function probablySupports(
  { format, params }: SizedFormat,
  density: number,
  shape: Shape,
  placement: Placement,
): boolean {
  return (format.admissionOdds?.(density, params as never, shape, placement) ?? 1) >= 0.5;
}

/**
 * Whole bytes of a matrix that was not encoded: 'refused' if the format probably does not support it, null if the
 * format has no closed form. `chosen`: the parameters as the user chose them, some of them 'auto'.
 */
export function expectedSize(
  format: AnyListedFormat,
  chosenParams: Readonly<Record<string, unknown>>,
  density: number,
  shape: Shape,
  placement: Placement,
): number | 'refused' | null {
  const sizedFormat = { format, params: resolvedParams(format.params, chosenParams, shape) };
  if (!probablySupports(sizedFormat, density, shape, placement)) return 'refused';
  const bytes = expectedBytes(sizedFormat, density, shape);
  return bytes === null ? null : Math.round(bytes);
}

/**
 * The expected bytes of a matrix, divided into values, indices, metadata and padding. A stored zero is padding: the
 * bits of its value, and the bits of its index, if it has one. Overhead (`overheadBits`) is metadata. The remaining
 * bits are metadata if the format stores every cell, else indices. Null without a closed form.
 */
export function expectedBytesByClass(
  sizedFormat: SizedFormat,
  density: number,
  shape: Shape,
): Readonly<Record<ByteClass, number>> | null {
  const total = expectedBytes(sizedFormat, density, shape);
  if (total === null) return null;
  const { format, params } = sizedFormat;
  // Bytes that one bit for each cell takes.
  const bytesPerBit = (shape.rows * shape.cols) / 8;
  const overheadBytes = Math.min(total, (format.overheadBits?.(params as never, shape) ?? 0) / 8);
  const zeroBytesAt = (share: number): number =>
    (format.expectedZeroBits?.(share, params as never, shape) ?? 0) * bytesPerBit;
  const padding = Math.min(total - overheadBytes, zeroBytesAt(density));
  const values = Math.min(total - overheadBytes - padding, density * bytesPerBit * valueBits(params));
  const remainingBytes = total - overheadBytes - padding - values;
  const storesEveryCell = zeroBytesAt(0) === bytesPerBit * valueBits(params);
  // The scales of values of 4 bits, each shared by several values.
  const scales =
    params.valueType === 'i4'
      ? Math.min(remainingBytes, density * bytesPerBit * (Q4_SCALED_BITS - valueBits(params)))
      : 0;
  const metadata = overheadBytes + (storesEveryCell ? remainingBytes : scales);
  return { values, indices: storesEveryCell ? 0 : remainingBytes - scales, metadata, padding };
}

/** Bits of one value with these parameters; 16 if they name no value type. */
export function valueBits({ valueType }: Readonly<Record<string, unknown>>): number {
  return typeof valueType === 'string' && Object.hasOwn(VALUE_BITS, valueType)
    ? VALUE_BITS[valueType as AnyValueType]
    : 16;
}
