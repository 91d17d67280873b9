import { type AnyListedFormat, type ParamField, resolvedParams, type Shape } from '../../core/format.ts';
import { type FormatParams, paramFields, type ParamValue } from '../../state/index.ts';

/** A value is shown by its label, unless the label has more characters than this. */
const LONGEST_LABEL = 8;

/** With more parameters than this, parameters at their defaults are omitted. */
const MAX_WITH_DEFAULTS = 3;

/** A format's parameters: '4-bit skips' (`isShort`: '4-bit'), '6:8'; a default value type only if alone. */
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
    const isShown = fields.length <= MAX_WITH_DEFAULTS && name !== 'valueType';
    return isShown || isBits(field) || value !== field.default ? valueText(field, value, isShort) : [];
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
  if (label !== undefined && label.length <= LONGEST_LABEL) return [label];
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
