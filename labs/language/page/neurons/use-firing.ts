// The text of the tab Neurons with its firing neurons: recorded, or written here.

import { useCallback, useMemo } from 'react';
import type { ServiceOf } from '../../../../src/engine/bridge/service.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { type Job, useJob } from '../../../../src/kit/use-job.ts';
import type { JobRequest } from '../../../../src/state/index.ts';
import type { LanguageService } from '../service/service.ts';
import type { FiredToken, FiringRequest } from '../service/types.ts';
import { loadTale, type RecordedTale, recordedTale } from './packed-tale.ts';

/** The tokens of a text so far, each with the neurons that fire. */
interface FiringText {
  readonly tokens: readonly FiredToken[];
  /** tokens of the whole text if `tokens` are its recorded beginning; null if the model wrote them in this browser */
  readonly recordedOf: number | null;
}

/**
 * The requested text with its firing neurons: the recording, or else written in this browser, even while another page
 * is open. `write` has the model write the text in any case. `isManual`: nothing starts before `write`.
 */
export function useFiring(request: FiringRequest, isManual: boolean): Job<FiringText> & { readonly write: () => void } {
  const { engine } = useApp();
  const host = useMemo(
    () => ({
      service: engine.service<LanguageService>('language'),
      recorded: async (requested: FiringRequest) => recordedTale(await loadTale(), requested),
    }),
    [engine],
  );
  const job = useJob(['Writing with neurons', request], firingJob(host, request, false), {
    title: 'Writing',
    manual: isManual,
  });
  const { startWith } = job;
  const write = useCallback(() => startWith(firingJob(host, request, true)), [startWith, host, request]);
  return { ...job, write };
}

/** Where the job gets a text from. */
interface FiringHost {
  readonly service: Pick<ServiceOf<LanguageService>, 'fire'>;
  /** the recorded beginning of a text; null if there is none */
  recorded(request: FiringRequest): Promise<RecordedTale | null>;
}

/** The job that writes a text with its firing neurons; a recorded text is returned at once, unless `live`. */
export function firingJob(
  { service, recorded }: FiringHost,
  request: FiringRequest,
  live: boolean,
): JobRequest<FiringText>['work'] {
  return async (watch, { update }) => {
    const recording = live ? null : await recorded(request).catch(() => null);
    if (recording) return { tokens: recording.tokens, recordedOf: recording.total };
    let visibleText: FiringText = { tokens: [], recordedOf: null };
    update(visibleText);
    await service.fire(watch, request, (tokens) =>
      update((visibleText = { ...visibleText, tokens: [...visibleText.tokens, ...tokens] })),
    );
    return visibleText;
  };
}
