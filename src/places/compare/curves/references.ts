import type { AnyListedFormat, PublishedFigures } from '../../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../../core/number/index.ts';
import { listText } from '../../../core/story/words.ts';
import { type FormatParams, valueTypesOf } from '../../../state/index.ts';
import { relativeSize, type SizeQuestion, type Variant } from './variants.ts';

/** A dense matrix in fewer bits, relative to dense in the requested value type. */
export interface QuantisedLine {
  readonly id: string;
  readonly title: string;
  readonly share: number;
  readonly variant: Variant;
}

/** Dense in fewer bits, the alternative to sparsity: in every value type below the requested one, with scales. */
export function quantisedLines(
  reference: AnyListedFormat,
  params: FormatParams,
  question: SizeQuestion,
): readonly QuantisedLine[] {
  const asked = VALUE_BITS[question.valueType];
  return valueTypesOf(reference).flatMap((value) => {
    const bits = VALUE_BITS[value as AnyValueType];
    if (!(bits < asked)) return [];
    const own = { ...params, valueType: value };
    const label = String(value);
    const variant = { key: `${reference.id} in ${label}`, format: reference, params: own, label, current: false };
    const share = relativeSize(variant, 1, question);
    return [{ id: label, title: `${reference.title} ${label}`, share, variant }];
  });
}

/** A sentence or two per source of a chart's squares: their meaning, and who published them. */
export function publishedNotes(figures: readonly PublishedFigures[]): readonly string[] {
  return [...new Set(figures.map(({ source }) => source))].map((source) => {
    const shown = figures.filter((f) => f.source === source);
    const device = shown[0].device === null ? '' : `, ${shown[0].device}`;
    return `Squares: ${listText(shown.map(({ title }) => title))}${device}. Published by ${source}.`;
  });
}
