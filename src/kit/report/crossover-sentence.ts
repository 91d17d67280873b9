import { useMemo } from 'react';
import type { AnyListedFormat, PublishedFigures } from '../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../core/number/index.ts';
import type { Words } from '../../core/story/scene.ts';
import { referenceFormat } from '../../formats/catalog.ts';
import type { Device } from '../../state/devices/device.ts';
import { type FormatChoice, valueTypesOf } from '../../state/index.ts';
import { publishedId } from '../../theory/roofline/devices.ts';
import { useApp } from '../app-context.ts';
import { type CrossoverFacts, crossoverWords, crossoverOf } from './crossover.ts';
import { type TimedMatrix, type FormatQuery, timedPair } from './matrix-times.ts';
import { speedsOnShape } from './shape-speeds.ts';
import { type PublishedLine, usePublished } from './use-published.ts';

/** Format A or B of a sentence that compares the two, with its name in the sentence. */
export interface NamedQuery {
  readonly query: FormatQuery;
  readonly name: string;
}

interface CrossoverQuery {
  /** the matrix in question */
  readonly matrix: TimedMatrix | null;
  readonly device: Device;
  /** the device's name, following 'On' */
  readonly on: string;
  readonly a: NamedQuery | null;
  readonly b: NamedQuery | null;
}

/** A sentence about the share of weights left below which A is faster than B on this device; null if unknown. */
export function useCrossoverSentence({ matrix, device, on, a, b }: CrossoverQuery): readonly Words[] | null {
  const { formats } = useApp();
  const published = usePublished(formats);
  return useMemo(() => {
    // The matrix of a feed-forward block contains activations, and has no share of weights left.
    if (matrix === null || matrix.isBlock || a === null || b === null) return null;
    const facts = measuredCrossover(matrix, device, on, a, b) ?? publishedCrossover(matrix, device, a, b, published);
    return facts && crossoverWords(facts);
  }, [matrix, device, on, a, b, published]);
}

/** The measured crossover on this shape; null if a time is not of a card, as no time of a software GPU is. */
export function measuredCrossover(
  matrix: TimedMatrix,
  device: Device,
  on: string,
  a: NamedQuery,
  b: NamedQuery,
): CrossoverFacts | null {
  const points = speedsOnShape(device.reports, matrix, a.query, b.query);
  const crossover = crossoverOf(points);
  const isOfCards = points.every(({ substitute }) => substitute === null);
  if (crossover === null || crossover.measuredFrom === crossover.measuredTo || !isOfCards) return null;
  const { a: ofA, b: ofB } = timedPair(device.reports, matrix, a.query, b.query);
  const aNs = ofA?.row.medianNs ?? null;
  return {
    kind: 'measured',
    on,
    a: a.name,
    b: b.name,
    crossover,
    shareLeft: matrix.density,
    isAhead: aNs !== null && aNs < (ofB?.row.medianNs ?? 0),
    reference: referenceFormat.title,
    fewerBits:
      aNs === null
        ? []
        : fewerBits([a.query, b.query])
            .filter((query) => (timedPair(device.reports, matrix, a.query, query).b?.row.medianNs ?? Infinity) < aNs)
            .map(({ params }) => String(params.valueType)),
  };
}

/** Published speeds of A against dense on this card: one token, any shape. */
export function publishedSpeeds(
  { tokens }: Pick<TimedMatrix, 'tokens'>,
  device: Pick<Device, 'id'>,
  a: FormatChoice,
  b: FormatChoice,
  published: readonly PublishedLine[],
): PublishedFigures | null {
  if (tokens > 1 || b.format !== referenceFormat.id) return null;
  const line = published.find(
    ({ format, figures: { quantity, device: card, valueType } }) =>
      quantity === 'speed' &&
      card !== null &&
      publishedId(card) === device.id &&
      format === a.format &&
      [a, b].every(({ params }) => params.valueType === valueType),
  );
  return line?.figures ?? null;
}

/** The published crossover of A and dense on this card; null without published speeds of A against dense. */
export function publishedCrossover(
  matrix: TimedMatrix,
  device: Device,
  a: NamedQuery,
  b: NamedQuery,
  published: readonly PublishedLine[],
): CrossoverFacts | null {
  const figures = publishedSpeeds(matrix, device, a.query, b.query, published);
  const crossover = figures && crossoverOf(figures.points.map(({ density, value }) => ({ density, ratio: value })));
  if (!crossover) return null;
  return {
    kind: 'published',
    on: figures.device ?? '',
    a: a.name,
    b: b.name,
    crossover,
    shareLeft: matrix.density,
    isAhead: false,
    reference: referenceFormat.title,
    fewerBits: fewerBits([a.query, b.query]).map(({ params }) => String(params.valueType)),
  };
}

/** Dense in fewer bits than f16, fewest first, without those in `besides`: alternatives that need no pruning. */
function fewerBits(besides: readonly FormatQuery[]): readonly FormatQuery[] {
  const { id, params: spec }: AnyListedFormat = referenceFormat;
  return valueTypesOf(referenceFormat)
    .map((value) => value as AnyValueType)
    .filter((type) => VALUE_BITS[type] < VALUE_BITS.f16)
    .toSorted((one, other) => VALUE_BITS[one] - VALUE_BITS[other])
    .filter((type) => !besides.some(({ format, params }) => format === id && params.valueType === type))
    .map((valueType) => ({ format: id, params: { valueType }, spec }));
}
