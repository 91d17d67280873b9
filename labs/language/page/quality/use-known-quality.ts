// The known quality of a model: recorded, and measured here in rounds.

import { useMemo } from 'react';
import type { RecordedQuality } from '../../decoders/quality/recorded-quality.ts';
import { blockWeights, type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import type { LanguageModelChoice } from '../model-choice.ts';
import { useQuality } from '../../overrides/use-quality.ts';
import { measuredPoint, type QualityPoint, recordedPoints } from './points.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { useJob } from '../../../../src/kit/use-job.ts';
import type { RunningJob, JobRequest } from '../../../../src/state/index.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { LanguageService } from '../service/service.ts';
import type { ServiceOf } from '../../../../src/engine/bridge/service.ts';
import type { MeasuredQuality } from '../service/types.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';

/**
 * Rounds of measuring recipes (pruning and value type), the quickest first: how many held-out tales (short texts) a
 * model predicts, and how many the model writes for the judge (tales/judge.ts).
 */
export const MEASURING_ROUNDS = [
  { tales: 6, judged: 0 },
  { tales: 12, judged: 16 },
  { tales: 48, judged: 48 },
] as const;

/** The measurements of one model in this browser, by the key of the recipe. */
export type MeasuredPoints = ReadonlyMap<string, { readonly recipe: Recipe; readonly measured: MeasuredQuality }>;

/** The job that measures each recipe on a few tales, then all on more; earlier results stay. */
export function qualityJob(
  service: Pick<ServiceOf<LanguageService>, 'quality'>,
  model: ModelAddress,
  recipes: readonly Recipe[],
): JobRequest<MeasuredPoints>['work'] {
  return async ({ signal, onProgress }, { lastOfSameKey, update }) => {
    let points: MeasuredPoints = lastOfSameKey ?? new Map();
    for (const [round, counts] of MEASURING_ROUNDS.entries()) {
      for (const [index, recipe] of recipes.entries()) {
        const updatePoint = (measured: MeasuredQuality): void => {
          points = new Map(points).set(recipeKey(recipe), { recipe, measured });
          update(points);
        };
        // The progress of the service would restart for each recipe.
        onProgress({
          what: `${counts.tales} tales each`,
          done: round * recipes.length + index,
          total: MEASURING_ROUNDS.length * recipes.length,
        });
        let isComplete = false;
        const request = { model, recipe, ...counts };
        const result = await service.quality({ signal }, request, (part) => {
          // A part that arrives after its result is already contained in it.
          if (!isComplete) updatePoint(part);
        });
        isComplete = true;
        updatePoint(result);
        if (signal.aborted) return points;
      }
    }
    return points;
  };
}

/** Everything known about a model's quality: the bits per byte with which the model predicts tales, by recipe. */
export interface KnownQuality {
  /** null until it is loaded, and if there is no recording */
  readonly recorded: RecordedQuality | null;
  /** the measurements made in this browser, by the key of the recipe */
  readonly measuredHere: MeasuredPoints;
  readonly running: RunningJob | null;
  /** why the last measurement failed; null if it did not */
  readonly error: string | null;
  readonly measure: (recipes: readonly Recipe[]) => void;
  readonly stop: () => void;
  /** the points to draw: the recording, or the measurements made here */
  readonly points: readonly QualityPoint[];
  /** measured here, in addition to a recording */
  readonly live: readonly QualityPoint[];
  readonly bytesPerTale: number;
  /** bytes of the blocks' matrices in f16 */
  readonly denseBytes: number;
  /** lower bound on the bits per byte; null while unknown */
  readonly floor: number | null;
}

/** Bytes of a tale before any measurement (labs/language/docs/language.md). */
const TYPICAL_TALE_BYTES = 950;

/** The quality of a model, recorded and measured in this browser, as points, with a function that measures more. */
export function useKnownQuality({ model }: LanguageModelChoice): KnownQuality {
  const recorded = useQuality(model.id);
  const { engine } = useApp();
  const job = useJob<MeasuredPoints>(['Measuring', model.id], null);
  const measuredHere = job.data ?? NOTHING;
  const denseBytes = 2 * blockWeights(model.shape);
  const first = [...measuredHere.values()][0]?.measured;
  const predicted = recorded ?? (first && first.tales > 0 ? first : null);
  const bytesPerTale = predicted ? predicted.bytes / predicted.tales : TYPICAL_TALE_BYTES;
  const measured = useMemo(
    () =>
      [...measuredHere.values()]
        .filter((point) => isOneDensity(point.recipe) && point.measured.tales > 1)
        .map((point) => measuredPoint(point.recipe, point.measured, bytesPerTale)),
    [measuredHere, bytesPerTale],
  );
  const points = useMemo(
    () => (recorded ? recordedPoints(recorded, denseBytes) : measured),
    [recorded, measured, denseBytes],
  );
  return {
    recorded,
    measuredHere,
    running: job.job,
    error: job.error,
    measure: (recipes) =>
      job.startWith(qualityJob(engine.service<LanguageService>('language'), modelAddress(model.id), recipes)),
    stop: job.cancel,
    points,
    live: recorded ? measured : NONE,
    bytesPerTale,
    denseBytes,
    floor: recorded?.floor.exact ?? first?.floor ?? null,
  };
}

const NONE: readonly QualityPoint[] = [];
const NOTHING: MeasuredPoints = new Map();

/** Whether all matrices have one density, which determines the position of the point along the axis. */
function isOneDensity({ pruning }: Recipe): boolean {
  return !('density' in pruning) || typeof pruning.density === 'number';
}
