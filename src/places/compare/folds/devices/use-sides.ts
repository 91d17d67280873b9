import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../../kit/app-context.ts';
import { recordingsOf } from '../../../../kit/devices/recordings-of.ts';
import { shapeKey, useRecordingsList } from '../../../../kit/devices/use-device.ts';
import { type Device, isBound } from '../../../../state/devices/device.ts';
import { measuredSpeeds, speedsOf } from '../../curves/measured-speeds.ts';
import { curveOf, GRID } from '../../curves/size-curves.ts';
import type { PublishedLine } from '../../curves/use-published.ts';
import type { Density } from '../../curves/use-curves.ts';
import { variantsOf } from '../../curves/variants.ts';
import { cardsOf, devicesWith, proposed, type SideChoice } from './side-choice.ts';
import { type Side, type SideLine, sideOf } from './sides.ts';

/** Bounds are drawn from here on: at a lower density they say nothing that anybody measures. */
const LEAST_BOUND = 0.02;

/** The devices side by side, and what there is to know about them. */
export interface SidesOfPage {
  /** all that can be chosen */
  readonly cards: readonly Device[];
  readonly sides: readonly Side[];
  /** names of recordings that are on their way */
  readonly loading: readonly string[];
  /** what could not be loaded, as one sentence */
  readonly problem: string | null;
  readonly retry: () => void;
}

/** The devices of a choice, for a question. */
export function useSides(
  choice: SideChoice,
  { question, shown, curves }: Density,
  chosen: readonly string[],
  published: readonly PublishedLine[],
): SidesOfPage {
  const { formats, session } = useApp();
  const params = useDocument((doc) => doc.params);
  const hasGpu = useSession((s) => s.device?.kind === 'ready');
  const recordings = recordingsOf(session);
  useRecordingsList();
  const { loaded, problem } = useStore(recordings.store);
  const cards = useMemo(() => cardsOf(shown.devices, hasGpu), [shown.devices, hasGpu]);
  const { rows, cols, valueType } = question;

  const measuredOn = useMemo(() => {
    const variants = formats
      .filter((format) => chosen.includes(format.id))
      .flatMap((format) => variantsOf(format, params[format.id], question).slice(0, 1));
    return (device: Device): readonly Omit<SideLine, 'by'>[] => {
      const speeds = measuredSpeeds(device.reports, { rows, cols, valueType }, referenceFormat.id);
      return variants
        .filter(({ format }) => format.id !== referenceFormat.id)
        .map(({ format, params: own }) => ({
          format: format.id,
          title: format.title,
          points: speedsOf(speeds, format.id, own),
        }));
    };
  }, [formats, chosen, params, question, rows, cols, valueType]);
  const figures = useMemo(
    () => published.filter((line) => line.figures.valueType === valueType && chosen.includes(line.format)),
    [published, valueType, chosen],
  );

  const ids = useMemo(() => {
    if (choice !== 'proposed') return choice;
    const key = shapeKey({ rows, cols });
    const has = (device: Device): boolean =>
      !isBound(device) && (device.shapes?.includes(key) ?? measuredOn(device).some(({ points }) => points.length > 0));
    return proposed(
      cards,
      has,
      figures.map((line) => line.figures),
    );
  }, [choice, cards, rows, cols, measuredOn, figures]);
  const devices = useMemo(() => devicesWith(ids, cards), [ids, cards]);

  const lacking = devices.filter(({ id, kind }) => kind === 'recorded' && !loaded[id]);
  const waiting = lacking.filter(({ id }) => problem?.id !== id);
  const wanted = lacking.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (wanted === '') return;
    // One after the other: asking for one gives up another that is on its way, as the page does for its own device.
    const failed = new Set<string>();
    const loadNext = (): void => {
      const now = recordings.store.getState();
      if (now.problem?.id) failed.add(now.problem.id);
      const next = wanted.split(' ').find((id) => !now.loaded[id] && !failed.has(id));
      if (now.loading === null && next !== undefined) void recordings.need(next);
    };
    loadNext();
    return recordings.store.subscribe(loadNext);
  }, [recordings, wanted]);

  const bounds = useMemo(
    () =>
      curves.flatMap(({ format, variants: [current] }): readonly Omit<SideLine, 'by'>[] => {
        if (!current || format.id === referenceFormat.id) return [];
        const size = curveOf(current, question);
        const points = GRID.filter((density) => density >= LEAST_BOUND).flatMap((density) => {
          const ratio = 1 / size(density);
          return Number.isFinite(ratio)
            ? [{ format: format.id, params: current.variant.params, density, ratio, p10: ratio, p90: ratio }]
            : [];
        });
        return [{ format: format.id, title: format.title, points }];
      }),
    [curves, question],
  );
  const sides = useMemo(
    () =>
      devices.map((device) =>
        sideOf(device, { measuredOn, bounds, published: figures, reference: referenceFormat.title }),
      ),
    [devices, measuredOn, bounds, figures],
  );
  return {
    cards,
    sides,
    loading: waiting.map(({ name }) => name),
    problem: problem !== null && devices.some(({ id }) => id === problem.id) ? problem.sentence : null,
    retry: () => void recordings.retry(),
  };
}
