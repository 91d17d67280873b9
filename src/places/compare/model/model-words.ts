import type { AnyListedFormat, ParamField } from '../../../core/format.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { paramFields } from '../../../state/index.ts';
import type { ShapeGroup } from '../../../theory/models/model-shape.ts';
import type { ShownModel } from './shown-model.ts';

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
function paramsText(format: AnyListedFormat, params: Readonly<Record<string, unknown>>): string {
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

/** What is shown, in a line: 'Llama-2-7B · 50 % left · MACKO, 4 bits, f16 · one token at a time · NVIDIA H200' */
export function aboutText({
  view,
  format,
  shownParams,
  device,
}: Pick<ShownModel, 'view' | 'format' | 'shownParams' | 'device'>): string {
  return [
    view.model.name,
    `${leftText(view.storage.density)} left`,
    `${format.title}, ${paramsText(format, shownParams)}`,
    view.tokens === 1 ? 'one token at a time' : `a prompt of ${view.tokens} tokens`,
    ...(device === null ? [] : [device]),
  ].join(' · ');
}
