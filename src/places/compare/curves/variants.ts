import {
  type AnyListedFormat,
  distinctOptions,
  isProvided,
  type Placement,
  resolvedParams,
  storedKey,
} from '../../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../../core/number/index.ts';
import { type FormatParams, paramFields, type ParamValue, valueTypesOf } from '../../../state/index.ts';
import { expectedBytes } from '../../../theory/expected-bytes.ts';

/** The subject: a shape, the type of stored values, and the distribution of the non-zeros. */
export interface SizeQuestion {
  readonly rows: number;
  readonly cols: number;
  readonly valueType: AnyValueType;
  readonly placement: Placement;
}

/** A format with one set of parameters. */
export interface Variant {
  readonly key: string;
  readonly format: AnyListedFormat;
  readonly params: FormatParams;
  /** the values that distinguish it from the format's other variants: '4 bits'; empty if there are no others */
  readonly label: string;
  readonly current: boolean;
}

/** Parameters that change the layout, or the size of a cell in dense, but not which option is smallest. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['valueType', 'layout']);

/** Densities at which parameters are checked for a difference in size. */
const PROBES = [0.001, 0.03, 0.3, 0.9];

/**
 * The format with the requested value type, or with another one of as many bits; null if it has none, as CSR has no i8. The
 * arrays of a format that a person wrote determine its own value type.
 */
function withValueType(format: AnyListedFormat, params: FormatParams, valueType: AnyValueType): FormatParams | null {
  if (isProvided(format)) return params;
  const types = valueTypesOf(format);
  const bitsOf = (value: ParamValue): number | undefined => VALUE_BITS[value as AnyValueType];
  const found =
    types.find((type) => type === valueType) ?? types.find((type) => bitsOf(type) === VALUE_BITS[valueType]);
  return found === undefined ? null : { ...params, valueType: found };
}

/**
 * The format's parameter sets that differ in size, the current one first: all combinations of the choices that change
 * its closed form. One if it has no closed form; none if it cannot store the requested value type.
 */
export function variantsOf(format: AnyListedFormat, params: FormatParams, question: SizeQuestion): readonly Variant[] {
  const typed = withValueType(format, params, question.valueType);
  if (typed === null) return [];
  const own = resolvedParams(format.params, typed, question);
  const closed = (p: FormatParams): string =>
    PROBES.map((d) => format.expectedEffectiveDensity?.(d, p, question).expected ?? 0).join();
  const compared = paramFields(format.params).flatMap(([name, field]) => {
    if (field.kind !== 'choice' || NOT_COMPARED.has(name) || !format.expectedEffectiveDensity) return [];
    const differ = field.options.some(({ value }) => closed({ ...own, [name]: value }) !== closed(own));
    return differ ? [{ name, options: distinctOptions(field), unit: field.unit ?? '' }] : [];
  });
  let sets: readonly { readonly params: FormatParams; readonly words: readonly string[] }[] = [
    { params: own, words: [] },
  ];
  for (const { name, options, unit } of compared) {
    sets = sets.flatMap((set) =>
      options.map(({ value, label }) => ({
        params: { ...set.params, [name]: value },
        words: [...set.words, unit === '' ? label : `${label} ${unit}`],
      })),
    );
  }
  return sets
    .filter((set) => (format.unusable?.(set.params) ?? null) === null)
    .map((set) => ({
      key: storedKey(format.id, set.params),
      format,
      params: set.params,
      label: set.words.join(' · '),
      current: compared.every(({ name }) => set.params[name] === own[name]),
    }))
    .toSorted((a, b) => Number(b.current) - Number(a.current));
}

/** Bytes of dense in the requested value type, without scales and without row padding: the unit of relative sizes. */
export function denseBytes({ rows, cols, valueType }: SizeQuestion): number {
  return (rows * cols * VALUE_BITS[valueType]) / 8;
}

/** Expected bytes of a random matrix relative to dense; NaN without a closed form. */
export function relativeSize(variant: Variant, density: number, question: SizeQuestion): number {
  return (expectedBytes(variant, density, question) ?? Number.NaN) / denseBytes(question);
}
