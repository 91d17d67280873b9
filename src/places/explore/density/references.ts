import type { AnyListedFormat, PublishedFigures } from '../../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../../core/number/index.ts';
import { listText } from '../../../core/story/words.ts';
import { type FormatParams, paramFields } from '../../../state/index.ts';
import { denseBytes, expectedBytes, type SizeQuestion, type Variant } from './variants.ts';

/** A dense matrix in fewer bits, relative to dense in the asked type of values. */
export interface QuantisedLine {
  readonly id: string;
  readonly title: string;
  readonly share: number;
  readonly variant: Variant;
  /** runs compare it with dense in the asked type; what they compare with itself has no speed here */
  readonly isCompared: boolean;
}

/** A format of others, of which only the size is known, in bytes relative to dense at every density. */
export interface SizeLine {
  readonly id: string;
  readonly title: string;
  /** at density d: `slope` d */
  readonly slope: number;
}

/** Bytes of a non-zero of Tiled-CSL (Flash-LLM): an f16 value and its place in a tile in 16 bits. Tile starts are few. */
const TILED_CSL_BYTES = 4;

/** What is published of unstructured sparsity beside the formats here, where values are as they are there. */
export function unstructuredLines({ valueType }: SizeQuestion): readonly SizeLine[] {
  if (valueType !== 'f16') return [];
  return [{ id: 'tiled-csl', title: 'Tiled-CSL', slope: (TILED_CSL_BYTES * 8) / VALUE_BITS[valueType] }];
}

/**
 * What quantisation makes of the same matrix, since whoever weighs sparsity has this choice, too: the reference format in
 * every type of values with fewer bits than the asked one, scales included.
 */
export function quantisedLines(
  reference: AnyListedFormat,
  params: FormatParams,
  question: SizeQuestion,
): readonly QuantisedLine[] {
  const field = paramFields(reference.params).find(([name]) => name === 'valueType')?.[1];
  if (field?.kind !== 'choice') return [];
  const asked = VALUE_BITS[question.valueType];
  return field.options.flatMap(({ value, comparedWith }) => {
    const bits = VALUE_BITS[value as AnyValueType];
    if (!(bits < asked)) return [];
    const own = { ...params, valueType: value };
    const label = String(value);
    const variant = { key: `${reference.id} in ${label}`, format: reference, params: own, label, current: false };
    const share = expectedBytes(variant, 1, question) / denseBytes(question);
    const isCompared = comparedWith === question.valueType;
    return [{ id: label, title: `${reference.title} ${label}`, share, variant, isCompared }];
  });
}

/** A sentence or two for each source of the squares in a chart: what they are, and whose. */
export function publishedNotes(figures: readonly PublishedFigures[]): readonly string[] {
  return [...new Set(figures.map(({ source }) => source))].map((source) => {
    const shown = figures.filter((f) => f.source === source);
    const device = shown[0].on === null ? '' : `, ${shown[0].on}`;
    return `Squares: ${listText(shown.map(({ title }) => title))}${device}. Published by ${source}.`;
  });
}
