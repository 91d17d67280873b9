import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { asSentence } from '../../../state/index.ts';
import { isCancelled } from '../../../state/session/session-context.ts';
import type { language } from '../service/service.ts';
import type { TryRequest, Tried } from '../service/try-types.ts';

interface Trial {
  /** what was tried: results of something else are not shown */
  readonly key: string;
  readonly tried: Tried | null;
  readonly isRunning: boolean;
  readonly error: string | null;
}

const nothing = (key: string): Trial => ({ key, tried: null, isRunning: false, error: null });

/** Tries kernels in a model when somebody asks for it. */
export function useTrial(key: string): Omit<Trial, 'key'> & {
  readonly run: (request: TryRequest) => Promise<void>;
  readonly stop: () => void;
} {
  const { engine } = useApp();
  const [trial, setTrial] = useState<Trial>(nothing(key));
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => running.current?.abort(), []);
  // What nobody looks at any more is not waited for.
  useEffect(() => stop, [stop, key]);
  const run = useCallback(
    async (request: TryRequest) => {
      const mine = new AbortController();
      running.current = mine;
      setTrial({ ...nothing(key), isRunning: true });
      try {
        const tried = await engine.service<typeof language>('language').tryKernels({ signal: mine.signal }, request);
        setTrial({ ...nothing(key), tried });
      } catch (failure) {
        const said = failure instanceof Error ? failure.message : String(failure);
        setTrial({ ...nothing(key), error: isCancelled(failure) ? 'Stopped.' : asSentence(said) });
      }
    },
    [engine, key],
  );
  return { ...(trial.key === key ? trial : nothing(key)), run, stop };
}
