import { type AnyListedFormat, type ParamField, resolvedParams, type Shape } from '../../core/format.ts';
import { type FormatParams, paramFields, type ParamValue } from '../../state/index.ts';

/** An option is named by its label if this has at most so many characters, else by its value. */
const MAX_LABEL_LENGTH = 8;

/** A format with more parameters than this shows only those that differ from their defaults, and numbers of bits. */
const MAX_PARAMS_IN_FULL = 3;

/**
 * A format's parameters as text: '4-bit skips' (`isShort`: '4-bit'), '6:8'. Numbers of bits are always in it; the value
 * type is if it differs from the default, or if the text would be empty; other parameters are, unless at the default of
 * a format with more than `MAX_PARAMS_IN_FULL`.
 */
export function paramsText(
  format: Pick<AnyListedFormat, 'params'>,
  params: FormatParams,
  shape: Shape | null,
  isShort = false,
): string {
  const resolved = shape === null ? params : resolvedParams(format.params, params, shape);
  const fields = paramFields(format.params);
  const texts = fields.flatMap(([name, field]) => {
    const value = resolved[name] ?? field.default;
    const isAlwaysShown = fields.length <= MAX_PARAMS_IN_FULL && name !== 'valueType';
    return isAlwaysShown || isBits(field) || value !== field.default ? valueText(field, value, isShort) : [];
  });
  if (texts.length > 0) return texts.join(', ');
  const { valueType = '' } = resolved;
  return String(valueType);
}

function valueText(field: ParamField<ParamValue>, value: ParamValue, isShort: boolean): readonly string[] {
  if (value === 'auto') return [];
  const { bitsOf } = field;
  if (isBits(field)) return [bitsOf && !isShort ? `${value}-bit ${bitsOf}` : `${value}-bit`];
  const label = field.kind === 'choice' ? field.options.find((option) => option.value === value)?.label : undefined;
  if (label !== undefined && label.length <= MAX_LABEL_LENGTH) return [label];
  return typeof value === 'string' ? [value] : [];
}

/** Whether a parameter is a number of bits. */
function isBits({ unit }: ParamField<ParamValue>): boolean {
  return unit === 'bit' || unit === 'bits';
}

/** A format's parameters, short, beginning with the value type: 'f16, 4-bit', 'i8, 6:8', 'i4'. */
export function textWithValueType(
  format: Pick<AnyListedFormat, 'params'>,
  params: FormatParams,
  shape: Shape | null,
): string {
  const defaultType: unknown = Object.entries<ParamField<ParamValue>>(format.params).find(
    ([name]) => name === 'valueType',
  )?.[1].default;
  const { valueType = defaultType } = params;
  if (typeof valueType !== 'string' || typeof defaultType !== 'string') return paramsText(format, params, shape, true);
  const rest = paramsText(format, { ...params, valueType: defaultType }, shape, true);
  return rest === defaultType ? valueType : `${valueType}, ${rest}`;
}
