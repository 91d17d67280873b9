import { useCallback, useEffect, useRef, useState } from 'react';
import { Newest } from '../../../engine/bridge/newest.ts';
import { useApp } from '../../../kit/app-context.ts';
import type { RecordedRow } from '../../../language/quality/recorded.ts';
import { asSentence, newJob, type RunningJob } from '../../../state/index.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import type { MeasuredQuality } from '../service/quality-types.ts';
import type { language } from '../service/service.ts';
import { recipeOf, rowTitle } from './rows.ts';

/** Enough to see the large differences that lessons ask about, and few enough to wait for. */
export const LIVE_TALES = 12;

export interface Live {
  /** by the title of the model */
  readonly found: ReadonlyMap<string, MeasuredQuality>;
  readonly running: RunningJob | null;
  readonly error: string | null;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Models measured in this browser, one after the other, on a few tales; what is found is shown as it comes. */
export function useLive(model: string, rows: readonly RecordedRow[], isJudged: boolean): Live {
  const { engine } = useApp();
  const [found, setFound] = useState<ReadonlyMap<string, MeasuredQuality>>(new Map());
  const [running, setRunning] = useState<RunningJob | null>(null);
  const [error, setError] = useState<string | null>(null);
  const newest = useRef(new Newest());
  useEffect(() => {
    const { current } = newest;
    return () => current.cancel();
  }, []);
  const start = useCallback(() => {
    const turn = newest.current.begin();
    const counts = isJudged ? { tales: 0, judged: LIVE_TALES } : { tales: LIVE_TALES, judged: 0 };
    const measure = async (): Promise<void> => {
      for (const row of rows) {
        const recipe = recipeOf(row);
        if (!recipe) continue;
        const keep = (measured: MeasuredQuality): void => {
          if (turn.isNewest) setFound((before) => new Map(before).set(rowTitle(row), measured));
        };
        const watch = {
          signal: turn.signal,
          onProgress: (progress: RunningJob['progress']) => {
            if (turn.isNewest) setRunning((job) => job && { ...job, title: `Measuring ${rowTitle(row)}`, progress });
          },
        };
        const request = { model: { id: model, url: modelUrl(model) }, recipe, ...counts };
        keep(await engine.service<typeof language>('language').quality(watch, request, keep));
        if (!turn.isNewest || turn.signal.aborted) return;
      }
    };
    setRunning(newJob('Measuring'));
    setError(null);
    measure()
      .catch((failure: unknown) => {
        const isCancelled = failure instanceof Error && failure.name === 'CancelledError';
        if (turn.isNewest && !isCancelled)
          setError(asSentence(failure instanceof Error ? failure.message : String(failure)));
      })
      .finally(() => {
        if (turn.isNewest) setRunning(null);
      });
  }, [engine, model, rows, isJudged]);
  const stop = useCallback(() => {
    newest.current.cancel();
    setRunning(null);
  }, []);
  return { found, running, error, start, stop };
}
