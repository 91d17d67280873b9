import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { useApp } from '../../../kit/app-context.ts';
import { kept } from '../../../kit/kept.ts';
import { type Job, useJob } from '../../../kit/use-job.ts';
import type { JobRequest } from '../../../state/jobs/jobs.ts';
import type { TrainingService } from './service/service.ts';
import {
  type BatchActivations,
  type CurvePoint,
  type RunSettings,
  STEPS,
  type TestResult,
  type Turn,
  withTurn,
} from '../theory/run.ts';

/** A run as far as it has come. */
export interface Run {
  /** with the turns that were made while it ran */
  readonly settings: RunSettings;
  readonly points: readonly CurvePoint[];
  /** the activations of the newest point; null before the first */
  readonly batch: BatchActivations | null;
  /** null until it is finished */
  readonly test: TestResult | null;
}

/** What a person decides while a run goes on. */
export interface Live {
  /** the coefficient from the next point on; null: as the settings say */
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

/** Makes a run of these settings; `live` decides how it goes on, and `onTurned` hears of turns that a person makes. */
export function runOf(
  service: Pick<ServiceOf<TrainingService>, 'run'>,
  live: StoreApi<Live>,
  settings: RunSettings,
  onTurned: (turns: readonly Turn[]) => void,
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
  /** the newest run, in whole or in part; null: there was none */
  readonly run: Run | null;
  /** a coefficient that was chosen and has not yet taken effect */
  readonly pendingL1: number | null;
  readonly isPaused: boolean;
  readonly start: (settings: RunSettings, onTurned: (turns: readonly Turn[]) => void) => void;
  readonly setPaused: (isPaused: boolean) => void;
  /** The run that goes on has this coefficient from the next point on. */
  readonly turn: (l1: number) => void;
}

/** The one run of the page: it goes on when its place is left. */
export function useTraining(): Training {
  const app = useApp();
  const live = kept(app, createLive);
  const { isPaused, l1: coming } = useStore(live);
  const { job, error, isCancelled, latest, startWith, cancel } = useJob<Run>(['Training'], null);
  const acts = useMemo(() => {
    const service = app.engine.service<TrainingService>('training');
    return {
      start: (settings: RunSettings, onTurned: (turns: readonly Turn[]) => void) =>
        startWith(runOf(service, live, settings, onTurned)),
      setPaused: (isPaused: boolean) => live.setState({ isPaused }),
      turn: (l1: number) => live.setState({ l1 }),
    };
  }, [app, live, startWith]);
  return { job, error, isCancelled, run: latest, pendingL1: coming, isPaused, cancel, ...acts };
}
