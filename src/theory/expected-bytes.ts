import { type AnyListedFormat, type FormatCard, type Placement, resolvedParams, type Shape } from '../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../core/number/index.ts';

/** A format with its parameters, reduced to what sizes depend on. */
export interface StoredAs {
  readonly format: Pick<
    FormatCard<never>,
    'expectedEffectiveDensity' | 'overheadBits' | 'admissionOdds' | 'expectedZeroBits'
  >;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Bytes of a uniformly random matrix in a format, by the format's closed form: effective density × rows × cols × bits
 * of a value / 8, plus its overhead. Null if the format has no closed form. All that the page
 * says about the size of a matrix that nobody has encoded comes from here.
 */
export function expectedBytes({ format, params }: StoredAs, density: number, shape: Shape): number | null {
  // Called as a method of the card: only the card knows its parameters.
  const closed = format.expectedEffectiveDensity?.(density, params as never, shape);
  if (!closed || !Number.isFinite(closed.expected)) return null;
  const besides = format.overheadBits?.(params as never, shape) ?? 0;
  return (closed.expected * shape.rows * shape.cols * valueBits(params) + besides) / 8;
}

/**
 * Whether a format holds a matrix of a density with a probability above one half, for independent or even non-zeros.
 */
export function isHeld({ format, params }: StoredAs, density: number, shape: Shape, placement: Placement): boolean {
  return (format.admissionOdds?.(density, params as never, shape, placement) ?? 1) >= 0.5;
}

/**
 * What a matrix takes that nobody has encoded, in whole bytes: 'refused' if the format probably does not hold it, null
 * if the format has no closed form. `given`: the parameters as a person chose them, some of them 'auto'.
 */
export function expectedSize(
  format: AnyListedFormat,
  given: Readonly<Record<string, unknown>>,
  density: number,
  shape: Shape,
  placement: Placement,
): number | 'refused' | null {
  const stored = { format, params: resolvedParams(format.params, given, shape) };
  if (!isHeld(stored, density, shape, placement)) return 'refused';
  const bytes = expectedBytes(stored, density, shape);
  return bytes === null ? null : Math.round(bytes);
}

/** Bits of one value with these parameters; 16 if they name no value type. */
export function valueBits({ valueType }: Readonly<Record<string, unknown>>): number {
  return typeof valueType === 'string' && Object.hasOwn(VALUE_BITS, valueType)
    ? VALUE_BITS[valueType as AnyValueType]
    : 16;
}
