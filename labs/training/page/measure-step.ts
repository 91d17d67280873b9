// Measures a training step's products in several formats, at the sizes of a real model.

import type { bench } from '../../../src/engine/bench-service.ts';
import type { ServiceOf } from '../../../src/engine/bridge/service.ts';
import type { BenchRequest, SweepAxis } from '../../../src/engine/bench/bench-types.ts';
import type { GenerateSpec } from '../../../src/generate/generate.ts';
import type { BenchReport } from '../../../src/core/report.ts';
import { untimedText } from '../../../src/kit/report/run-verdict.ts';
import { adapterName, type JobRequest } from '../../../src/state/index.ts';
import {
  STEP_PARTS,
  STEP_ROUNDS,
  type PartTimes,
  type StepPoint,
  type StepFormats,
  type StepRun,
  type StepShape,
  timesOf,
} from '../theory/step.ts';
import type { TrainingService } from './service/service.ts';

const SEED = 1;

/** Generated activations with about `mean` non-zeros for each token, the same mean for all tokens. */
export function activationsSpec({ tokens, hidden }: StepShape, mean: number): GenerateSpec {
  const options = { tokenSkew: 0, positionDecay: 0 };
  return { pattern: 'activations', rows: tokens, cols: hidden, density: mean / hidden, seed: SEED, options };
}

/** The parts of a step with the formats to measure; the benchmark adds dense, with which it compares them. */
function partsOf({ format, reference, attempts }: StepFormats): SweepParts {
  const sparse = { format, params: attempts[attempts.length - 1].params, kernels: 'auto' as const };
  // The update: dense weights and dense gradients, the same whichever format the other parts use.
  const dense = { format: reference, params: {}, kernels: 'auto' as const };
  return STEP_PARTS.map(({ id, operation }) => ({ operation, entries: [id === 'update' ? dense : sparse] }));
}

type SweepParts = Extract<SweepAxis, { readonly of: 'non-zeros' }>['parts'];

/** The services for measuring a step. */
interface StepServices {
  readonly training: Pick<ServiceOf<TrainingService>, 'stepFormats'>;
  readonly bench: Pick<ServiceOf<typeof bench>, 'sweep'>;
}

/**
 * The work of a job that measures a training step at each mean number of non-zeros, in the order of `means`: it finds
 * parameters with which the sparse format does not overflow, then times every part. Results list points by their mean.
 */
export function measureStep(
  { training, bench: measuring }: StepServices,
  shape: StepShape,
  means: readonly number[],
  rounds = STEP_ROUNDS,
): JobRequest<StepRun>['work'] {
  return async (watch, { update }) => {
    const done: StepPoint[] = [];
    let adapter = '';
    for (const mean of means) {
      const spec = activationsSpec(shape, mean);
      const stepFormats = await training.stepFormats(watch, spec, shape.width);
      // The update does not depend on the non-zeros, so it is timed once.
      const timedUpdate = done.at(0)?.parts.update;
      const parts = partsOf(stepFormats).slice(0, timedUpdate ? -1 : undefined);
      let point: StepPoint = { ...stepFormats, mean, parts: timedUpdate ? { update: timedUpdate } : {} };
      const request: BenchRequest = {
        operation: STEP_PARTS[0].operation,
        sizes: { width: shape.width },
        workload: { kind: 'generated', spec },
        entries: [],
        memory: 'cold',
        rounds,
        seed: SEED,
        where: 'gpu',
      };
      await measuring.sweep(watch, request, { of: 'non-zeros', values: [mean], parts }, (report, part) => {
        adapter = adapterName(report.environment);
        const times = withReason(report, timesOf(report, stepFormats.format, stepFormats.reference));
        point = { ...point, parts: { ...point.parts, [STEP_PARTS[part].id]: times } };
        update({ on: adapter, shape, points: byMean([...done, point]) });
      });
      done.push(point);
    }
    return { on: adapter, shape, points: byMean(done) };
  };
}

/** The times of a part with the reason why one of them is missing. */
function withReason({ rows, refused: rejected, unfinished }: BenchReport, times: PartTimes): PartTimes {
  if (unfinished || (times.reference && times.sparse)) return times;
  for (const format of new Set([...rows, ...rejected].map((row) => row.format))) {
    const hasFormat = (row: { readonly format: string }): boolean => row.format === format;
    const untimed = untimedText({
      rows: rows.filter(hasFormat),
      refused: rejected.filter(hasFormat),
      deviceName: 'this GPU',
    });
    if (untimed !== null) return { ...times, untimed };
  }
  return times;
}

function byMean(points: readonly StepPoint[]): readonly StepPoint[] {
  return points.toSorted((a, b) => a.mean - b.mean);
}
