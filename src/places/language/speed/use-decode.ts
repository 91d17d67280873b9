import { useCallback } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { DecodeReport } from '../../../core/reports/decode-report.ts';
import { useApp } from '../../../kit/app-context.ts';
import { keptDecodes } from '../../../kit/report/use-decodes.ts';
import { asSentence, type RunningJob } from '../../../state/index.ts';
import { timeLeft } from '../../../state/time-left.ts';
import type { language } from '../service/service.ts';
import type { DecodeRequest } from '../service/types.ts';

interface Decoding {
  /** null: nothing is decoded */
  readonly job: RunningJob | null;
  /** of the run that goes on, as far as it is known; null before it is, and after it */
  readonly growing: DecodeReport | null;
  /** why the last one broke off, as a sentence */
  readonly error: string | null;
}

/** One at a time, which goes on while another tab is shown. */
const decoding = createStore<Decoding>(() => ({ job: null, growing: null, error: null }));
let abort = new AbortController();

/** Decodes whole tokens on this GPU when somebody asks for it. What has a result is kept, also where it broke off. */
export function useDecode(): Decoding & {
  readonly run: (title: string, request: DecodeRequest) => Promise<void>;
  readonly cancel: () => void;
} {
  const { engine } = useApp();
  const run = useCallback(
    async (title: string, request: DecodeRequest) => {
      if (decoding.getState().job !== null) return;
      abort = new AbortController();
      decoding.setState({ job: { title, progress: null, cancelling: false }, growing: null, error: null });
      const left = timeLeft(() => performance.now());
      const watch = {
        signal: abort.signal,
        onProgress: (progress: NonNullable<RunningJob['progress']>): void =>
          decoding.setState(({ job }) => ({ job: job && { ...job, progress, leftMs: left(progress) } })),
      };
      let error: string | null = null;
      try {
        await engine
          .service<typeof language>('language')
          .decode(watch, request, (growing) => decoding.setState({ growing }));
      } catch (failure) {
        const message = failure instanceof Error ? failure.message : String(failure);
        error = abort.signal.aborted ? null : asSentence(message);
      }
      const { growing } = decoding.getState();
      if (growing !== null && growing.runs.length > 0) await keptDecodes().keep(growing);
      decoding.setState({ job: null, growing: null, error });
    },
    [engine],
  );
  const cancel = useCallback(() => {
    decoding.setState(({ job }) => ({ job: job && { ...job, cancelling: true } }));
    abort.abort();
  }, []);
  return { ...useStore(decoding), run, cancel };
}
