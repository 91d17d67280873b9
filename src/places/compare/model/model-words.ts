import type { AnyListedFormat, ParamField } from '../../../core/format.ts';
import { paramFields } from '../../../state/index.ts';
import type { ShapeGroup } from '../../../theory/models/model-shape.ts';

/** The matrices of a shape: 'q, k, v, o'; matrices stored as one are joined by a plus: 'q + k + v'. */
export function namesOf({ parts }: ShapeGroup): string {
  return parts.map(({ names }) => names.join(' + ')).join(', ');
}

/** A format with its value type, if that is not the usual one. */
export function storedTitle(
  { title }: Pick<AnyListedFormat, 'title'>,
  { valueType }: Readonly<Record<string, unknown>>,
): string {
  return typeof valueType === 'string' && valueType !== 'f16' ? `${title} ${valueType}` : title;
}

/** Parameters in words: '4 bits, f16', in the format's order. */
export function paramsText(format: AnyListedFormat, params: Readonly<Record<string, unknown>>): string {
  return paramFields(format.params)
    .flatMap(([name, field]) => [valueText(field, params[name] ?? field.default)])
    .join(', ');
}

function valueText(field: ParamField<unknown>, value: unknown): string {
  const label = field.kind === 'choice' ? field.options.find((option) => option.value === value)?.label : undefined;
  if (value === 'auto') return `${field.label} auto`;
  const text = label ?? String(value);
  return field.unit === undefined ? text : `${text} ${field.unit}`;
}
