import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { asSentence, type RunningJob } from '../../../state/index.ts';
import type { language } from '../service/service.ts';
import type { TimesRequest, TokenTimes } from '../service/types.ts';

/** A token that was timed here. */
export interface TimedToken {
  readonly title: string;
  readonly format: string;
  readonly times: TokenTimes;
}

interface Timing {
  /** what was timed: figures of something else are not shown */
  readonly key: string;
  readonly tokens: readonly TimedToken[];
  /** null: nothing is timed */
  readonly job: RunningJob | null;
  readonly error: string | null;
}

/** What is to be timed, with its name and the format's colour. */
export interface ToTime extends Pick<TimedToken, 'title' | 'format'> {
  readonly request: TimesRequest;
}

/** Times tokens on this machine, one model after the other, when somebody asks for it. */
export function useTimes(key: string): Timing & {
  readonly run: (all: readonly ToTime[]) => Promise<void>;
  readonly cancel: () => void;
} {
  const { engine } = useApp();
  const [timing, setTiming] = useState<Timing>({ key, tokens: [], job: null, error: null });
  const abort = useRef<AbortController>(null);
  // Nobody would see what it finds.
  useEffect(() => () => abort.current?.abort(), [key]);
  const run = useCallback(
    async (all: readonly ToTime[]) => {
      const { signal } = (abort.current = new AbortController());
      setTiming({ key, tokens: [], job: { title: 'Timing a token', progress: null, cancelling: false }, error: null });
      const watch = {
        signal,
        onProgress: (progress: NonNullable<RunningJob['progress']>): void =>
          setTiming((now) => ({ ...now, job: now.job && { ...now.job, progress } })),
      };
      const service = engine.service<typeof language>('language');
      let error: string | null = null;
      try {
        for (const { title, format, request } of all) {
          const times = await service.times(watch, request);
          setTiming((now) => ({ ...now, tokens: [...now.tokens, { title, format, times }] }));
          // Without a GPU every model is multiplied as if it were dense: its format would be a name alone.
          if (times.where === 'cpu') break;
        }
      } catch (failure) {
        if (!signal.aborted) error = asSentence(failure instanceof Error ? failure.message : String(failure));
      }
      // Another run may have begun.
      if (abort.current?.signal === signal) setTiming((now) => ({ ...now, job: null, error }));
    },
    [engine, key],
  );
  const cancel = useCallback(() => {
    setTiming((now) => ({ ...now, job: now.job && { ...now.job, cancelling: true } }));
    abort.current?.abort();
  }, []);
  const shown = timing.key === key ? timing : { key, tokens: [], job: null, error: null };
  return { ...shown, run, cancel };
}
