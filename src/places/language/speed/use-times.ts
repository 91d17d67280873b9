import { useCallback, useState } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { asSentence } from '../../../state/index.ts';
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
  readonly isRunning: boolean;
  readonly error: string | null;
}

/** What is to be timed, with its name and the format's colour. */
export interface ToTime extends Pick<TimedToken, 'title' | 'format'> {
  readonly request: TimesRequest;
}

/** Times tokens on this machine, one model after the other, when somebody asks for it. */
export function useTimes(key: string): Timing & { readonly run: (all: readonly ToTime[]) => Promise<void> } {
  const { engine } = useApp();
  const [timing, setTiming] = useState<Timing>({ key, tokens: [], isRunning: false, error: null });
  const run = useCallback(
    async (all: readonly ToTime[]) => {
      setTiming({ key, tokens: [], isRunning: true, error: null });
      const service = engine.service<typeof language>('language');
      let error: string | null = null;
      try {
        for (const { title, format, request } of all) {
          const times = await service.times({}, request);
          setTiming((now) => ({ ...now, tokens: [...now.tokens, { title, format, times }] }));
          // Without a GPU every model is multiplied as if it were dense: its format would be a name alone.
          if (times.where === 'cpu') break;
        }
      } catch (failure) {
        error = asSentence(failure instanceof Error ? failure.message : String(failure));
      }
      setTiming((now) => ({ ...now, isRunning: false, error }));
    },
    [engine, key],
  );
  const shown = timing.key === key ? timing : { key, tokens: [], isRunning: false, error: null };
  return { ...shown, run };
}
