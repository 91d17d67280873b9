import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { RecordedQuality } from '../../../language/quality/recorded.ts';
import { blockWeights, type Recipe } from '../../../language/stored/recipe.ts';
import type { LanguageSubject } from '../subject.ts';
import { useQuality } from '../../../kit/models/use-quality.ts';
import type { Measuring, MeasuringState } from './measuring.ts';
import { measuredPoint, type QualityPoint, recordedPoints } from './points.ts';
import { useMeasuring } from './use-measuring.ts';

/** All that is known of a model's quality. */
export interface KnownQuality {
  /** null while it is not there, and where nothing was recorded */
  readonly recorded: RecordedQuality | null;
  readonly measuring: Measuring;
  /** of this model; null: nothing was measured here */
  readonly mine: MeasuringState | null;
  /** what is drawn: the recording, or what was measured here */
  readonly points: readonly QualityPoint[];
  /** measured here, over a recording */
  readonly live: readonly QualityPoint[];
  readonly bytesPerTale: number;
  /** of the blocks' matrices in f16 */
  readonly denseBytes: number;
  /** fewest bits per byte; null before anything is known */
  readonly floor: number | null;
}

/** Bytes of a tale before any was measured (docs/language.md). */
const USUAL_BYTES = 950;

export function useKnownQuality({ model }: LanguageSubject): KnownQuality {
  const recorded = useQuality(model.id);
  const measuring = useMeasuring(model.id);
  const state = useStore(measuring.store);
  const mine = state.model === model.id ? state : null;
  const denseBytes = 2 * blockWeights(model.shape);
  const first = mine ? [...mine.points.values()][0]?.measured : undefined;
  const known = recorded ?? (first && first.tales > 0 ? first : null);
  const bytesPerTale = known ? known.bytes / known.tales : USUAL_BYTES;
  const measured = useMemo(
    () =>
      [...(mine?.points.values() ?? [])]
        .filter((one) => isOneDensity(one.recipe) && one.measured.tales > 1)
        .map((one) => measuredPoint(one.recipe, one.measured, bytesPerTale)),
    [mine?.points, bytesPerTale],
  );
  const points = useMemo(
    () => (recorded ? recordedPoints(recorded, denseBytes) : measured),
    [recorded, measured, denseBytes],
  );
  return {
    recorded,
    measuring,
    mine,
    points,
    live: recorded ? measured : NONE,
    bytesPerTale,
    denseBytes,
    floor: recorded?.floor.exact ?? first?.floor ?? null,
  };
}

const NONE: readonly QualityPoint[] = [];

/** Whether all matrices have one density, so that the point has a place along the axis. */
function isOneDensity({ pruning }: Recipe): boolean {
  return !('density' in pruning) || typeof pruning.density === 'number';
}
