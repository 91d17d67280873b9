import { useMemo } from 'react';
import type { AnyListedFormat, PublishedFigures } from '../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../core/number/index.ts';
import type { Words } from '../../core/story/scene.ts';
import { referenceFormat } from '../../formats/catalog.ts';
import type { Device } from '../../state/devices/device.ts';
import { paramFields, type Stored } from '../../state/index.ts';
import { publishedId } from '../../theory/roofline/devices.ts';
import { useApp } from '../app-context.ts';
import { type PassesFacts, passesWords } from './passes-words.ts';
import { type TimedMatrix, type FormatQuery, timedPair } from './matrix-times.ts';
import { speedsOnShape } from './shape-speeds.ts';
import { turnover } from './turnover.ts';
import { type PublishedLine, usePublished } from './use-published.ts';

/** A or B, as it is called in sentences. */
export interface NamedQuery {
  readonly query: FormatQuery;
  readonly name: string;
}

interface PassesQuestion {
  readonly asked: TimedMatrix | null;
  readonly device: Device;
  /** as it follows 'On' */
  readonly on: string;
  readonly a: NamedQuery | null;
  readonly b: NamedQuery | null;
}

/** From which share on A beats B on the device that answers, as a sentence; null where nobody measured it. */
export function usePasses({ asked, device, on, a, b }: PassesQuestion): readonly Words[] | null {
  const { formats } = useApp();
  const published = usePublished(formats);
  return useMemo(() => {
    // Of a block no share of weights is left.
    if (asked === null || asked.isBlock || a === null || b === null) return null;
    const facts = measuredPasses(asked, device, on, a, b) ?? publishedPasses(asked, device, a, b, published);
    return facts && passesWords(facts);
  }, [asked, device, on, a, b, published]);
}

/** What was measured on this shape; times in software say nothing about cards. */
export function measuredPasses(
  asked: TimedMatrix,
  device: Device,
  on: string,
  a: NamedQuery,
  b: NamedQuery,
): PassesFacts | null {
  const points = speedsOnShape(device.reports, asked, a.query, b.query);
  const turn = turnover(points);
  if (turn === null || turn.from === turn.to || points.some(({ mark }) => mark !== null)) return null;
  const { a: ofA, b: ofB } = timedPair(device.reports, asked, a.query, b.query);
  const own = ofA?.row.medianNs ?? null;
  return {
    kind: 'measured',
    on,
    a: a.name,
    b: b.name,
    turn,
    here: asked.density,
    isAhead: own !== null && own < (ofB?.row.medianNs ?? 0),
    reference: referenceFormat.title,
    fewerBits:
      own === null
        ? []
        : fewerBits([a.query, b.query])
            .filter((query) => (timedPair(device.reports, asked, a.query, query).b?.row.medianNs ?? Infinity) < own)
            .map(({ params }) => String(params.valueType)),
  };
}

/** What was published of A against dense on this card: for matrices of any shape, and one token. */
export function publishedSpeeds(
  { tokens }: Pick<TimedMatrix, 'tokens'>,
  device: Pick<Device, 'id'>,
  a: Stored,
  b: Stored,
  published: readonly PublishedLine[],
): PublishedFigures | null {
  if (tokens > 1 || b.format !== referenceFormat.id) return null;
  const line = published.find(
    ({ format, figures: { quantity: of, device: on, valueType } }) =>
      of === 'speed' &&
      on !== null &&
      publishedId(on) === device.id &&
      format === a.format &&
      [a, b].every(({ params }) => params.valueType === valueType),
  );
  return line?.figures ?? null;
}

/** Where A passes dense by what was published. */
export function publishedPasses(
  asked: TimedMatrix,
  device: Device,
  a: NamedQuery,
  b: NamedQuery,
  published: readonly PublishedLine[],
): PassesFacts | null {
  const figures = publishedSpeeds(asked, device, a.query, b.query, published);
  const turn = figures && turnover(figures.points.map(({ density, value }) => ({ density, ratio: value })));
  if (!turn) return null;
  return {
    kind: 'published',
    on: figures.device ?? '',
    a: a.name,
    b: b.name,
    turn,
    here: asked.density,
    isAhead: false,
    reference: referenceFormat.title,
    fewerBits: fewerBits([a.query, b.query]).map(({ params }) => String(params.valueType)),
  };
}

/** Dense in fewer bits than f16, the fewest first, unless it is among `besides`: it needs no pruning. */
function fewerBits(besides: readonly FormatQuery[]): readonly FormatQuery[] {
  const { id, params: spec }: AnyListedFormat = referenceFormat;
  const field = paramFields(spec).find(([name]) => name === 'valueType')?.[1];
  const types = field?.kind === 'choice' ? field.options.map(({ value }) => value as AnyValueType) : [];
  return types
    .filter((type) => VALUE_BITS[type] < VALUE_BITS.f16)
    .toSorted((one, other) => VALUE_BITS[one] - VALUE_BITS[other])
    .filter((type) => !besides.some(({ format, params }) => format === id && params.valueType === type))
    .map((valueType) => ({ format: id, params: { valueType }, spec }));
}
