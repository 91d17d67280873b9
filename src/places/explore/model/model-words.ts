import type { AnyListedFormat, ParamField } from '../../../core/format.ts';
import { countText } from '../../../core/story/words.ts';
import { paramFields } from '../../../state/index.ts';
import type { MatrixName, ShapeGroup } from '../../../theory/models/model-shape.ts';

const THIN = '\u202f';

/** 10^9 bytes with one decimal, two below ten times less: 13.5 GB, 0.52 GB. */
export function gigabytes(bytes: number, unit = true): string {
  const value = bytes / 1e9;
  const text = value >= 99.95 ? value.toFixed(0) : value >= 0.995 ? value.toFixed(1) : value.toFixed(2);
  return unit ? `${text}${THIN}GB` : text;
}

/** The same with two decimals, for figures that are compared: 13.21 GB. */
export function exactGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)}${THIN}GB`;
}

/** Bytes that a token adds, in 10^6: 0.52 MB. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e5 ? 3 : 2)}${THIN}MB`;
}

/** Tokens per second: whole from 100 on, one decimal below. */
export function perSecond(tokens: number): string {
  return tokens >= 99.95 ? countText(tokens) : tokens.toFixed(1);
}

/** Weights of a model: 6.74 × 10⁹. */
export function weightsText(weights: number): string {
  return weights >= 1e9 ? `${(weights / 1e9).toFixed(2)} × 10⁹` : `${(weights / 1e6).toFixed(0)} × 10⁶`;
}

/** The matrices of a shape: 'q, k, v, o'; those that are stored as one with a plus: 'q + k + v'. */
export function namesOf({ parts }: ShapeGroup): string {
  return parts.map(({ names }) => names.join(' + ')).join(', ');
}

/** What a matrix is called in full, for who hears it. */
export function spokenName(name: MatrixName): string {
  return name === 'lm_head' ? 'lm head' : name;
}

/** A format as weights are stored in it: with its value type where that is not the usual one. */
export function storedTitle(
  { title }: Pick<AnyListedFormat, 'title'>,
  { valueType }: Readonly<Record<string, unknown>>,
): string {
  return typeof valueType === 'string' && valueType !== 'f16' ? `${title} ${valueType}` : title;
}

/** Parameters as a person reads them: '4 bits, f16', in the format's order. */
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
