import { useMemo } from 'react';
import type { AnyListedFormat, PublishedFigures } from '../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../core/number/index.ts';
import { referenceFormat } from '../../formats/catalog.ts';
import { type Device, type FormatChoice, valueTypesOf } from '../../state/index.ts';
import { publishedId } from '../../theory/roofline/devices.ts';
import { useApp } from '../app-context.ts';
import { type TimedMatrix, type FormatQuery, timedPair, speedsOnShape } from './matrix-times.ts';
import { type PublishedLine, usePublished } from './use-published.ts';
import { listText, say, strong, type Words } from '../../core/text/words.ts';
import { roughDensityText } from '../words/shares.ts';

/** Format A or B of a comparison, with its name in the text. */
export interface NamedQuery {
  readonly query: FormatQuery;
  readonly name: string;
}

interface CrossoverQuery {
  /** the matrix in question */
  readonly matrix: TimedMatrix | null;
  readonly device: Device;
  /** the device's name, following 'On' */
  readonly deviceName: string;
  readonly a: NamedQuery | null;
  readonly b: NamedQuery | null;
  /** returns only a published crossover, without dense in fewer bits: for a page whose chart shows measured ones */
  readonly isPublishedOnly?: boolean;
}

/** A text with the density below which A is faster than B on this device; null if unknown. */
export function useCrossoverText({
  matrix,
  device,
  deviceName,
  a,
  b,
  isPublishedOnly = false,
}: CrossoverQuery): readonly Words[] | null {
  const { formats } = useApp();
  const published = usePublished(formats, matrix);
  return useMemo(() => {
    // The matrix of a feed-forward block contains activations, and has no share of weights left.
    if (matrix === null || matrix.isBlock || a === null || b === null) return null;
    const measured = measuredCrossover(matrix, device, deviceName, a, b);
    if (isPublishedOnly && measured !== null) return null;
    const facts = measured ?? publishedCrossover(matrix, device, a, b, published);
    return facts && crossoverWords(isPublishedOnly ? { ...facts, fewerBits: [] } : facts);
  }, [matrix, device, deviceName, a, b, published, isPublishedOnly]);
}

/** The measured crossover on this shape; null if a time is not of a graphics card, for example of a software GPU. */
export function measuredCrossover(
  matrix: TimedMatrix,
  device: Device,
  deviceName: string,
  a: NamedQuery,
  b: NamedQuery,
): CrossoverFacts | null {
  const points = speedsOnShape(device.reports, matrix, a.query, b.query);
  const crossover = crossoverOf(points);
  const isOfCards = points.every(({ substitute }) => substitute === null);
  if (crossover === null || crossover.measuredFrom === crossover.measuredTo || !isOfCards) return null;
  const { a: ofA, b: ofB } = timedPair(device.reports, matrix, a.query, b.query);
  const aNs = ofA?.row.medianNs ?? null;
  const isFasterThanA = (query: FormatQuery): boolean =>
    aNs !== null && (timedPair(device.reports, matrix, a.query, query).b?.row.medianNs ?? Infinity) < aNs;
  return {
    kind: 'measured',
    deviceName,
    a: a.name,
    b: b.name,
    crossover,
    shareLeft: matrix.density,
    isAhead: aNs !== null && aNs < (ofB?.row.medianNs ?? 0),
    reference: referenceFormat.title,
    fewerBits: denseInFewerBits([a.query, b.query])
      .filter(isFasterThanA)
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
    deviceName: figures.device ?? '',
    a: a.name,
    b: b.name,
    crossover,
    shareLeft: matrix.density,
    isAhead: false,
    reference: referenceFormat.title,
    fewerBits: denseInFewerBits([a.query, b.query]).map(({ params }) => String(params.valueType)),
  };
}

/** Dense in fewer bits than f16, fewest first, without those among `compared`: alternatives that need no pruning. */
function denseInFewerBits(compared: readonly FormatQuery[]): readonly FormatQuery[] {
  const { id, params: spec }: AnyListedFormat = referenceFormat;
  return valueTypesOf(referenceFormat)
    .map((value) => value as AnyValueType)
    .filter((type) => VALUE_BITS[type] < VALUE_BITS.f16)
    .toSorted((typeA, typeB) => VALUE_BITS[typeA] - VALUE_BITS[typeB])
    .filter((type) => !compared.some(({ format, params }) => format === id && params.valueType === type))
    .map((valueType) => ({ format: id, params: { valueType }, spec }));
}

/** The largest difference in density between two measurements between which a crossover is interpolated. */
export const MAX_STEP = 0.4;

/** Where two formats A and B are equally fast on a shape, by the density of its matrix. */
interface Crossover {
  /** the densities, ascending */
  readonly densities: readonly number[];
  /** two neighbouring measurements around a change, too far apart to interpolate */
  readonly between: readonly [low: number, high: number] | null;
  /** A is faster at the smallest measured density */
  readonly startsAhead: boolean;
  /** the smallest and the largest measured density */
  readonly measuredFrom: number;
  readonly measuredTo: number;
}

/** The densities at which the faster of A and B changes. `points` ascend; ratio: the speed of A divided by that of B. */
export function crossoverOf(points: readonly { readonly density: number; readonly ratio: number }[]): Crossover | null {
  const first = points.at(0);
  const last = points.at(-1);
  if (!first || !last) return null;
  const densities: number[] = [];
  let between: readonly [number, number] | null = null;
  for (const [i, { density: high, ratio }] of points.slice(1).entries()) {
    const { density: low, ratio: lowRatio } = points[i];
    if (lowRatio > 1 === ratio > 1) continue;
    // Where the logarithm of the ratio, interpolated between the two points, is 0.
    const share = Math.log(lowRatio) / (Math.log(lowRatio) - Math.log(ratio));
    if (high - low > MAX_STEP + 1e-9) between ??= [low, high];
    else densities.push(low + share * (high - low));
  }
  return { densities, between, startsAhead: first.ratio > 1, measuredFrom: first.density, measuredTo: last.density };
}

/** The facts about A against B by weights left, on one device. */
interface CrossoverFacts {
  /** measured: on this shape; published: by others, on any shape */
  readonly kind: 'measured' | 'published';
  /** the card of published times, following 'for': 'RTX 4090'; not used for measured ones */
  readonly deviceName: string;
  readonly a: string;
  readonly b: string;
  readonly crossover: Crossover;
  /** the share of weights that the matrix has left, 0 to 1 */
  readonly shareLeft: number;
  /** A is faster at this share */
  readonly isAhead: boolean;
  /** the title of dense */
  readonly reference: string;
  /** value types with fewer bits in which dense is faster than A there; for published times, those not compared */
  readonly fewerBits: readonly string[];
}

/** 'MACKO is faster than dense f16 below 68 % density. But at 50 %, dense i4 and i8 are even faster.' */
export function crossoverWords(facts: CrossoverFacts): readonly Words[] {
  const { kind, deviceName, a, b, crossover, shareLeft, isAhead, reference, fewerBits } = facts;
  const dense = `${reference} ${listText(fewerBits)}`;
  const is = fewerBits.length === 1 ? 'is' : 'are';
  const alternatives =
    fewerBits.length === 0
      ? ''
      : kind === 'published'
        ? `; ${dense} ${fewerBits.length === 1 ? 'was' : 'were'} not compared there`
        : `. But at ${roughDensityText(shareLeft)}, ${dense} ${is} ${isAhead ? 'even ' : ''}faster`;
  const opening = kind === 'published' ? `Published for ${deviceName}: ` : '';
  return say`${opening}${a} ${strong(`${whereFaster(b, crossover)} density`)}${alternatives}.`;
}

/** 'is faster than dense f16 below 68 %' */
function whereFaster(b: string, crossover: Crossover): string {
  const { densities, between, startsAhead, measuredFrom: from, measuredTo: to } = crossover;
  if (between !== null) return `is as fast as ${b} ${crossoverText(crossover)}`;
  if (densities.length > 0) return `is faster than ${b} ${crossoverText(crossover)}`;
  return `is ${startsAhead ? 'faster' : 'slower'} than ${b} from ${roughDensityText(from)} to ${roughDensityText(to)}`;
}

/** The shares of weights left at which A is faster than B: 'below 65 %', 'ahead from 10 % to 50 %'. */
export function crossoverText(crossover: Crossover | null): string {
  if (crossover === null) return '–';
  const { densities, between, startsAhead, measuredFrom: from, measuredTo: to } = crossover;
  if (between !== null) return `somewhere from ${roughDensityText(between[0])} to ${roughDensityText(between[1])}`;
  const [first, second] = densities;
  if (densities.length === 0) {
    const range =
      from === to ? `at ${roughDensityText(from)}` : `from ${roughDensityText(from)} to ${roughDensityText(to)}`;
    return `${startsAhead ? 'ahead' : 'behind'} ${range}`;
  }
  if (densities.length === 1) return `${startsAhead ? 'below' : 'above'} ${roughDensityText(first)}`;
  return startsAhead
    ? `below ${roughDensityText(first)} and above ${roughDensityText(second)}`
    : `from ${roughDensityText(first)} to ${roughDensityText(second)}`;
}
