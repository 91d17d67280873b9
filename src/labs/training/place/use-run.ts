import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { useApp, oncePerPage } from '../../../kit/app-context.ts';
import { type Job, useJob } from '../../../kit/use-job.ts';
import type { JobRequest } from '../../../state/jobs/jobs.ts';
import type { TrainingService } from './service/service.ts';
import {
  type BatchActivations,
  type CurvePoint,
  type RunSettings,
  STEPS,
  type TestResult,
  type CoefficientTurn,
  withTurn,
} from '../theory/run.ts';

/** The current state of a run. */
export interface Run {
  /** with the changes of the coefficient made during the run */
  readonly settings: RunSettings;
  readonly points: readonly CurvePoint[];
  /** the activations of the newest point; null before the first */
  readonly batch: BatchActivations | null;
  /** null until it is finished */
  readonly test: TestResult | null;
}

/** A person's decisions during a run. */
export interface Live {
  /** the coefficient from the next point on; null: that of the settings */
  readonly l1: number | null;
  readonly isPaused: boolean;
}

function createLive(): StoreApi<Live> {
  return createStore<Live>(() => ({ l1: null, isPaused: false }));
}

/** Resolves once the run is not paused, or is cancelled. */
function untilResumed(live: StoreApi<Live>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (live.getState().isPaused && signal?.aborted !== true) return;
      unsubscribe();
      signal?.removeEventListener('abort', check);
      resolve();
    };
    const unsubscribe = live.subscribe(check);
    signal?.addEventListener('abort', check);
    check();
  });
}

/**
 * Makes a run with these settings; `live` has a person's decisions, and `onTurned` receives their changes of the coefficient.
 */
export function runOf(
  service: Pick<ServiceOf<TrainingService>, 'run'>,
  live: StoreApi<Live>,
  settings: RunSettings,
  onTurned: (turns: readonly CoefficientTurn[]) => void,
): JobRequest<Run>['work'] {
  return async (watch, { update }) => {
    live.setState({ l1: null, isPaused: false });
    let run: Run = { settings, points: [], batch: null, test: null };
    update(run);
    const test = await service.run(watch, settings, async (point, batch) => {
      run = { ...run, points: [...run.points, point], batch };
      update(run);
      await untilResumed(live, watch.signal);
      const { l1 } = live.getState();
      if (l1 !== null && point.step < STEPS) {
        live.setState({ l1: null });
        run = { ...run, settings: { ...settings, turns: withTurn(run.settings.turns, { step: point.step, l1 }) } };
        update(run);
        onTurned(run.settings.turns);
      }
      return run.settings.turns;
    });
    return { ...run, test };
  };
}

export interface Training extends Pick<Job<Run>, 'job' | 'error' | 'isCancelled' | 'cancel'> {
  /** the newest run, complete or not; null: none */
  readonly run: Run | null;
  /** a chosen coefficient that has not taken effect yet */
  readonly pendingL1: number | null;
  readonly isPaused: boolean;
  readonly start: (settings: RunSettings, onTurned: (turns: readonly CoefficientTurn[]) => void) => void;
  readonly setPaused: (isPaused: boolean) => void;
  /** Sets the coefficient of the current run from the next point on. */
  readonly turn: (l1: number) => void;
}

/** The only run of the page: it continues when its place is left. */
export function useTraining(): Training {
  const app = useApp();
  const live = oncePerPage(app, createLive);
  const { isPaused, l1: coming } = useStore(live);
  const { job, error, isCancelled, latest, startWith, cancel } = useJob<Run>(['Training'], null);
  const acts = useMemo(() => {
    const service = app.engine.service<TrainingService>('training');
    return {
      start: (settings: RunSettings, onTurned: (turns: readonly CoefficientTurn[]) => void) =>
        startWith(runOf(service, live, settings, onTurned)),
      setPaused: (isPaused: boolean) => live.setState({ isPaused }),
      turn: (l1: number) => live.setState({ l1 }),
    };
  }, [app, live, startWith]);
  return { job, error, isCancelled, run: latest, pendingL1: coming, isPaused, cancel, ...acts };
}
