import { type AnyListedFormat, resolvedParams, type Shape, storedKey } from '../../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../../core/number/index.ts';
import { textWithValueType } from '../../../kit/words/params-text.ts';
import {
  type FormatParams,
  paramFields,
  type ParamValue,
  type FormatChoice,
  valueTypesOf,
} from '../../../state/index.ts';

/** A format with one set of parameters. */
export interface StoredVariant {
  /** the format's id with its resolved parameters: equal for variants that store a matrix alike */
  readonly key: string;
  readonly format: AnyListedFormat;
  /** every parameter, as chosen: 'auto' where the encoder decides */
  readonly stored: FormatChoice;
  /** the parameters as text: 'f16, 4-bit' */
  readonly detail: string;
}

/** Bits of the widest values that are compared unless the user chose wider ones. */
const MAX_BITS = 16;

/** A format with these parameters, on matrices of a shape. */
export function storedVariantOf(format: AnyListedFormat, params: FormatParams, shape: Shape): StoredVariant {
  return {
    key: storedKey(format.id, resolvedParams(format.params, params, shape)),
    format,
    stored: { format: format.id, params },
    detail: textWithValueType(format, params, shape),
  };
}

/**
 * The rows of the page Compare: each format with its `params`, once for every value type that is compared, and the
 * formats A and B (`sides`). A classic format has one row unchanged, and one in 4 bits.
 */
export function comparedVariants(
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
  sides: readonly (FormatChoice | null)[],
  shape: Shape,
): readonly StoredVariant[] {
  const variants = new Map<string, StoredVariant>();
  const add = (format: AnyListedFormat, chosenParams: FormatParams): void => {
    const variant = storedVariantOf(format, chosenParams, shape);
    if (!variants.has(variant.key) && !format.unusable?.(chosenParams)) variants.set(variant.key, variant);
  };
  for (const format of formats) {
    const userParams = params[format.id] ?? {};
    const types = comparedTypesOf(format);
    if (types.length === 0 || format.group === 'classic') add(format, userParams);
    for (const valueType of types) add(format, { ...userParams, valueType });
    for (const choice of sides) if (choice?.format === format.id) add(format, choice.params);
  }
  return [...variants.values()];
}

/** The value types to compare: of a classic format only 4 bits; of any other but dense no 8 bits if it has 4. */
function comparedTypesOf(format: AnyListedFormat): readonly ParamValue[] {
  const types = valueTypesOf(format).filter((valueType) => bitsOf({ valueType }) <= MAX_BITS);
  const in4Bits = types.filter((valueType) => bitsOf({ valueType }) === 4);
  if (format.group === 'classic') return in4Bits;
  const hasAll = format.group === 'baseline' || in4Bits.length === 0;
  return hasAll ? types : types.filter((valueType) => bitsOf({ valueType }) !== 8);
}

/** Bits of a value with these parameters; 16 if they name no type. */
export function bitsOf({ valueType }: FormatParams): number {
  return VALUE_BITS[valueType as AnyValueType] ?? 16;
}

/** A format with its value type, if that has fewer or more bits than usual: 'MACKO', 'dense i4'. */
export function storedTitle({ format, stored }: Pick<StoredVariant, 'format' | 'stored'>): string {
  return bitsOf(stored.params) === 16 ? format.title : `${format.title} ${String(stored.params.valueType)}`;
}

/** The name of a format among others: 'MACKO', 'dense i4', or 'MACKO i8' if A and B are both MACKO. */
export function variantName(
  { format, stored }: StoredVariant,
  otherVariants: readonly (StoredVariant | null)[] = [],
): string {
  const params = Object.entries(stored.params);
  if (params.length === 1) return `${format.title} ${String(params[0][1])}`;
  const twins = otherVariants.filter((other) => other !== null && other.format === format && other.stored !== stored);
  if (twins.length === 0) return format.title;
  const differentParams = params.filter(([name, value]) => twins.some((twin) => twin?.stored.params[name] !== value));
  return [format.title, ...differentParams.map(([, value]) => String(value))].join(' ');
}

/** The parameters that changed, with their new values: 'index bits 16'. */
export function changedText(format: AnyListedFormat, before: FormatParams, after: FormatParams): string {
  return paramFields(format.params)
    .filter(([name]) => after[name] !== undefined && before[name] !== after[name])
    .map(([name, field]) => {
      const option = field.kind === 'choice' ? field.options.find(({ value }) => value === after[name]) : undefined;
      return `${field.label} ${option?.label ?? String(after[name])}`;
    })
    .join(', ');
}
