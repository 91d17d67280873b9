// The training run of this page: how it starts, pauses and ends, and its points so far.

import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../src/engine/bridge/service.ts';
import { useApp, oncePerPage } from '../../../src/kit/app-context.ts';
import { type Job, useJob } from '../../../src/kit/use-job.ts';
import { type JobRequest, isEngineDeath } from '../../../src/state/index.ts';
import { SparseScopeError } from '../../../src/core/errors.ts';
import { messageOf } from '../../../src/core/error-messages.ts';
import type { TrainingService } from './service/service.ts';
import type { OnPoint } from './service/train.ts';
import {
  type BatchActivations,
  type CurvePoint,
  type RunSettings,
  STEPS,
  type TestResult,
  type L1Change,
  withL1Change,
} from '../theory/run.ts';

/** A training run so far. */
export interface Run {
  /** with the changes made to the coefficient of L1 during the run */
  readonly settings: RunSettings;
  readonly points: readonly CurvePoint[];
  /** the activations of the newest point; null before the first */
  readonly batch: BatchActivations | null;
  /** null until it is finished */
  readonly test: TestResult | null;
  /** message that the engine ended during the run, and how many steps are repeated; absent if it did not */
  readonly interruption?: string;
}

/** The controls that a user can use during a run. */
export interface RunControls {
  /** the coefficient of L1 from the next point on; null: unchanged */
  readonly l1: number | null;
  readonly isPaused: boolean;
}

function createControls(): StoreApi<RunControls> {
  return createStore<RunControls>(() => ({ l1: null, isPaused: false }));
}

/** Resolves once the run is not paused, or is cancelled. */
function untilResumed(controls: StoreApi<RunControls>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (controls.getState().isPaused && signal?.aborted !== true) return;
      unsubscribe();
      signal?.removeEventListener('abort', check);
      resolve();
    };
    const unsubscribe = controls.subscribe(check);
    signal?.addEventListener('abort', check);
    check();
  });
}

/**
 * The work of a job that trains with these settings. Where the engine ends, the run begins again in the next one, with
 * the same points up to where it was, since a run depends on its settings alone. `controls` pauses the run and changes
 * the coefficient of L1; after each change `onL1Changed` receives all coefficients of the run.
 */
export function trainingWork(
  service: Pick<ServiceOf<TrainingService>, 'run'>,
  controls: StoreApi<RunControls>,
  settings: RunSettings,
  onL1Changed: (l1Changes: readonly L1Change[]) => void,
): JobRequest<Run>['work'] {
  return async (watch, { update }) => {
    controls.setState({ l1: null, isPaused: false });
    let run: Run = { settings, points: [], batch: null, test: null };
    update(run);
    const lastStep = (): number => run.points.at(-1)?.step ?? 0;
    const attempt = (): Promise<TestResult> => {
      let isOver = false;
      const onPoint: OnPoint = async (point, batch) => {
        // A repeated run computes its earlier points again: they are the same, so they are ignored without a pause.
        if (isOver || point.step <= lastStep()) return run.settings.l1Changes;
        run = { ...run, points: [...run.points, point], batch };
        update(run);
        await untilResumed(controls, watch.signal);
        const { l1 } = controls.getState();
        if (!isOver && l1 !== null && point.step < STEPS) {
          controls.setState({ l1: null });
          const l1Changes = withL1Change(run.settings.l1Changes, { step: point.step, l1 });
          run = { ...run, settings: { ...settings, l1Changes } };
          update(run);
          onL1Changed(l1Changes);
        }
        return run.settings.l1Changes;
      };
      return service.run(watch, run.settings, onPoint).finally(() => {
        isOver = true;
      });
    };
    for (let endsWithoutPoint = 0, reached = -1; ;) {
      try {
        // `run` is read after the attempt, which adds the points.
        const test = await attempt();
        return { ...run, test };
      } catch (error) {
        if (!isEngineDeath(error) || watch.signal.aborted) throw error;
        const how = messageOf(error).replace(/\.$/, '');
        // If the engine ends repeatedly without a new point, another attempt would end as well.
        endsWithoutPoint = lastStep() > reached ? 1 : endsWithoutPoint + 1;
        reached = lastStep();
        const where = `${how} after ${reached} of ${STEPS} steps`;
        if (endsWithoutPoint === MAX_ENDS) {
          throw new SparseScopeError(
            `${where}, ${MAX_ENDS} times; what was trained stays: train again, or reload the page`,
          );
        }
        run = { ...run, interruption: `${where}; another one trains them again and goes on.` };
        update(run);
      }
    }
  };
}

/** A run fails if its engine ends this often without a new point. */
const MAX_ENDS = 3;

/** The training run of the page, and the functions of its buttons. */
export interface TrainingState extends Pick<Job<Run>, 'job' | 'error' | 'isCancelled' | 'cancel'> {
  /** the newest run, complete or not; null: none */
  readonly run: Run | null;
  /** a chosen coefficient of L1 that has not taken effect yet */
  readonly pendingL1: number | null;
  readonly isPaused: boolean;
  readonly start: (settings: RunSettings, onL1Changed: (l1Changes: readonly L1Change[]) => void) => void;
  readonly setPaused: (isPaused: boolean) => void;
  /** Sets the coefficient of L1 from the next point of the current run on. */
  readonly setL1: (l1: number) => void;
}

/** The only training run of the page; it continues when the user leaves the page Training. */
export function useTraining(): TrainingState {
  const app = useApp();
  const controls = oncePerPage(app, createControls);
  const { isPaused, l1: pendingL1 } = useStore(controls);
  const { job, error, isCancelled, latest, startWith, cancel } = useJob<Run>(['Training'], null);
  const actions = useMemo(() => {
    const service = app.engine.service<TrainingService>('training');
    return {
      start: (settings: RunSettings, onL1Changed: (l1Changes: readonly L1Change[]) => void) =>
        startWith(trainingWork(service, controls, settings, onL1Changed)),
      setPaused: (isPaused: boolean) => controls.setState({ isPaused }),
      setL1: (l1: number) => controls.setState({ l1 }),
    };
  }, [app, controls, startWith]);
  return { job, error, isCancelled, run: latest, pendingL1, isPaused, cancel, ...actions };
}
