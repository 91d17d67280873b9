import { type AnyValueType, type EntryType, Q4_GROUP, type SlotOf, VALUE_BITS } from '../number/index.ts';
import { defaultParams, type FormatCard, resolvedParams, type Shape } from '../format.ts';
import { fact, type Stated, stated } from '../text/stated.ts';
import { expectedLongestRow } from '../statistics/longest-row.ts';
import type { ArrayDeclaration, CardDeclaration, Counts, DeclaredCard, Resolved } from './declaration.ts';

/** Bits of one element: 4 for 'u4'. */
function bitsOf({ type }: Pick<ArrayDeclaration, 'type'>): number {
  return Number(/\d+/.exec(type)?.[0]);
}

/** The declared number of elements of an array; null if none is declared, or none follows from `counts`. */
export function declaredLength(array: ArrayDeclaration, counts: Counts): number | null {
  if (array.length) return array.length(counts);
  return array.offsetsInto === undefined ? null : counts.rows + 1;
}

/** The declaration of an array of values: their element type, and for i8 and i4 their quantisation. */
export function storedAs<N extends string>(
  valueType: EntryType,
  scales: N,
  slots?: () => SlotOf,
): Pick<ArrayDeclaration<N>, 'type' | 'quantised'> {
  if (valueType === 'f16' || valueType === 'f32') return { type: valueType };
  const by = valueType === 'i4' ? Q4_GROUP : 'row';
  return { type: valueType === 'i4' ? 'u4' : 'i8', quantised: { by, scales, ...(slots && { slots }) } };
}

/** The declared length as a text; '' if the declaration has none. */
export function lengthText({ length, lengthSays, offsetsInto }: ArrayDeclaration): string {
  return lengthSays ?? (length || offsetsInto === undefined ? '' : 'rows + 1');
}

/** The value type of a format with these arrays: i8 or i4 if values are quantised, else f16, bf16 or f32. */
export function valueTypeOf(arrays: readonly ArrayDeclaration[]): AnyValueType {
  const values = arrays.filter(({ role }) => role === 'values');
  const codes = values.find(({ quantised }) => quantised);
  if (codes) return codes.quantised?.by === 'row' ? 'i8' : 'i4';
  const fields = arrays.flatMap(({ fields = {} }) => Object.values(fields)).filter(({ role }) => role === 'values');
  const types = [...values, ...fields].map(({ type }) => type);
  return (['f16', 'bf16'] as const).find((name) => types.includes(name)) ?? 'f32';
}

/** Parameters with 'auto' replaced by the value for the shape. */
export function resolved<P>(spec: FormatCard<P>['params'], given: P, shape: Shape): Resolved<P> {
  return resolvedParams<unknown>(spec, given as Readonly<Record<string, unknown>>, shape) as Resolved<P>;
}

/** Bits of each array; null if a length is not declared. */
function bitsByArray(arrays: Readonly<Record<string, ArrayDeclaration>>, counts: Counts): readonly number[] | null {
  const bits = Object.values(arrays).map((array) => (declaredLength(array, counts) ?? Number.NaN) * bitsOf(array));
  return bits.some(Number.isNaN) ? null : bits;
}

/**
 * Expected number of gaps of each width in a random matrix; a gap: columns from a non-zero, or from before the row, to
 * the next non-zero. A gap of g has g - 1 zeros and a non-zero; it starts before the row, or at one of cols - g columns,
 * each a non-zero with probability `density`. O(cols).
 */
function expectedGaps(density: number, { rows, cols }: Shape): Float64Array {
  return Float64Array.from({ length: cols + 1 }, (_, gap) =>
    gap === 0 ? 0 : rows * density * (1 - density) ** (gap - 1) * (density * (cols - gap) + 1),
  );
}

/** The colours of every format that declares none; the ten formats of the palette do not use them. */
export const SPARE_COLORS: FormatCard<never>['colors'] = { light: '#AA49A5', dark: '#9F3E9C' };

/**
 * The card (names, parameters, sizes) of a declared format. Its closed forms for random matrices follow from declared
 * lengths: overhead is the size of a matrix without non-zeros, effective density the rest. A format whose lengths
 * depend on more than counts, gaps and the longest row has no closed forms, unless `declared` contains some.
 */
export function declareCard<N extends string, P extends object>(declared: CardDeclaration<N, P>): DeclaredCard<N, P> {
  const { params } = declared;
  const bitsAt = (density: number, p: P, shape: Shape): readonly number[] | null =>
    bitsByArray(declared.arrays(resolved(params, p, shape), shape), {
      ...shape,
      nnz: density * shape.rows * shape.cols,
      // Computed only when a format reads it.
      get gaps() {
        return expectedGaps(density, shape);
      },
      get longest() {
        return expectedLongestRow(shape.rows, shape.cols, density);
      },
    });
  const sumOf = (bits: readonly number[] | null): number => bits?.reduce((sum, each) => sum + each, 0) ?? Number.NaN;
  const overheadBits = (p: P, shape: Shape): number => sumOf(bitsAt(0, p, shape));
  const closedForms: Partial<FormatCard<P>> = {
    expectedEffectiveDensity(density, p, { rows, cols }) {
      // A matrix without cells would divide by 0.
      const shape = { rows: Math.max(1, rows), cols: Math.max(1, cols) };
      const bits = sumOf(bitsAt(density, p, shape)) - overheadBits(p, shape);
      const valueType = valueTypeOf(Object.values(declared.arrays(resolved(params, p, shape), shape)));
      const expected = bits / (VALUE_BITS[valueType] * shape.rows * shape.cols);
      return { best: expected, expected, worst: expected };
    },
    overheadBits,
    expectedReason: (density, p, shape) =>
      bitsForEach(sumOf(bitsAt(density, p, shape)), density * shape.rows * shape.cols, ' expected'),
  };
  return {
    summary: declared.shortSummary,
    group: 'classic',
    source: null,
    bestExample: { id: 'digits-fc2-50', what: 'weights, half of them left' },
    colors: SPARE_COLORS,
    effort: 1,
    ...(bitsAt(0.5, defaultParams(params), { rows: 8, cols: 8 }) && closedForms),
    ...declared,
  };
}

/** The default explanation of a size: the bits for each non-zero. */
export function bitsForEach(bits: number, nnz: number, expected = ''): Stated {
  if (nnz === 0)
    return bits === 0
      ? stated`no non-zeros, so nothing is stored`
      : stated`no non-zeros: other numbers take these bytes`;
  return stated`${fact('bits for a non-zero', bits / nnz)} bits${expected} for each non-zero`;
}
