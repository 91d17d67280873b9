// The texts that the tab Text shows: shipped ones, or written here.

import { useMemo } from 'react';
import type { ServiceOf } from '../../../../src/engine/bridge/service.ts';
import { useApp, useDocument } from '../../../../src/kit/app-context.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { useJob } from '../../../../src/kit/use-job.ts';
import type { RunningJob, JobRequest } from '../../../../src/state/index.ts';
import { isImported } from '../../theory/imported.ts';
import type { LanguageService } from '../service/service.ts';
import { modelAddress, modelFile } from '../../overrides/model-files.ts';
import { readRecordedTexts, recordedText, type RecordedTexts } from './recorded-texts.ts';
import type { ReadToken, WriteEvent, WriteRequest } from '../service/types.ts';
import type { LanguageModelChoice } from '../model-choice.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';
import { MAX_WRITTEN, MAX_WRITTEN_BROUGHT, TEXT_FIELDS } from './fields.ts';
import { NO_TEXT, type TextPair } from './text-pair.ts';

/** The shipped texts of a model; null if there are none. */
export const loadRecordedTexts = modelFile('texts.json', readRecordedTexts);

/** The dense text, the same text as the pruned model reads it, and the pruned model's own text: written or recorded. */
export interface WritingState {
  readonly text: TextPair;
  /** the dense text as the previous pruning read it: shown paler where `text.read` has no token yet */
  readonly before: readonly ReadToken[];
  /** the text was written on another machine and shipped with the page */
  readonly isRecorded: boolean;
}

interface RequestedText extends WritingState {
  readonly request: WriteRequest;
}

/** The texts on the page, and the functions that write them again or stop. */
export interface Writing extends WritingState {
  /** false for an imported model until it is requested to write */
  readonly isBegun: boolean;
  readonly running: RunningJob | null;
  /** why the text was not written; null if it was */
  readonly error: string | null;
  /** Writes the text here, even if it exists. */
  readonly write: () => void;
  /** Stops the writing; the text so far stays. */
  readonly stop: () => void;
}

/** The request for both texts: model, pruning, format, prompt and sampling, from the address. */
export function useWriteRequest(
  { model, pruning }: LanguageModelChoice,
  { matrices }: ModelOverrides,
  calibration: string,
): WriteRequest {
  const [{ prompt, seed, temperature }] = useChoices(TEXT_FIELDS);
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params[doc.format]);
  return useMemo(
    () => ({
      model: modelAddress(model.id),
      pruning,
      format,
      params,
      ...(matrices && { overrides: matrices }),
      ...(calibration !== '' && { calibration }),
      prompt,
      seed,
      temperature,
      count: isImported(model.id) ? MAX_WRITTEN_BROUGHT : MAX_WRITTEN,
    }),
    [model, pruning, format, params, matrices, calibration, prompt, seed, temperature],
  );
}

const NOT_BEGUN: WritingState = { text: NO_TEXT, before: [], isRecorded: false };

/**
 * The requested text while it is written; until then the previous text. An imported model writes its first text on
 * request, and with `isManual` every model does.
 */
export function useWriting(request: WriteRequest, isManual = false): Writing {
  const { engine } = useApp();
  const host = useMemo(
    () => ({ service: engine.service<LanguageService>('language'), recorded: loadRecordedTexts }),
    [engine],
  );
  /** Whether a text may be shown for this request: the text of another imported model may not. */
  const isShowable = (text: RequestedText | null): boolean =>
    !isImported(request.model.id) || text?.request.model.id === request.model.id;
  const job = useJob<RequestedText>(['Writing', request], writingJob(host, request, false), {
    manual: isManual || (isImported(request.model.id) && ((newest) => !isShowable(newest))),
  });
  const { latest, job: running, error, isCancelled, startWith, cancel } = job;
  const isBegun = isShowable(latest) || running !== null;
  const write = useMemo(() => () => startWith(writingJob(host, request, true)), [startWith, host, request]);
  const visible = (isShowable(latest) ? latest : null) ?? NOT_BEGUN;
  return useMemo(
    () => ({ ...visible, isBegun, running, error: isCancelled ? 'Stopped.' : error, write, stop: cancel }),
    [visible, isBegun, running, isCancelled, error, write, cancel],
  );
}

/** The parts of the page that writing needs. */
interface WritingHost {
  readonly service: Pick<ServiceOf<LanguageService>, 'write'>;
  /** the shipped texts of a model; null if there are none */
  recorded(model: string): Promise<RecordedTexts | null>;
}

/** The job that writes both texts, or returns recorded ones unless `isLive`. It tries twice if the device is lost. */
export function writingJob(
  { service, recorded }: WritingHost,
  request: WriteRequest,
  isLive: boolean,
): JobRequest<RequestedText>['work'] {
  return async (watch, { lastOfAnyKey, update }) => {
    // An unchanged dense text stays, with the reading by the previous pruning until the new pruning has read it.
    const previous = lastOfAnyKey !== null && !isLive && sameText(lastOfAnyKey.request, request) ? lastOfAnyKey : null;
    let visible: RequestedText = {
      request,
      text: previous ? denseAlone(previous.text) : NO_TEXT,
      before: previous ? longest(previous.text.readTokens, previous.before) : [],
      isRecorded: lastOfAnyKey?.isRecorded ?? false,
    };
    const show = (part: Partial<WritingState>): void => update((visible = { ...visible, ...part }));
    show({});
    const texts = isLive ? null : await recorded(request.model.id).catch(() => null);
    const text = texts && recordedText(texts, request);
    if (text) return { request, text, before: [], isRecorded: true };
    show({ isRecorded: false });
    const write = async (earlierDense: readonly string[], isSecondTry: boolean): Promise<RequestedText> => {
      let dense: readonly string[] = [];
      const onEvent = (event: WriteEvent): void => {
        if (event.kind === 'written') dense = [...dense, ...event.tokens];
        show({ text: withEvent(visible.text, event, dense, earlierDense) });
      };
      try {
        const result = await service.write(watch, request, onEvent);
        return { ...visible, text: { ...visible.text, dense, outcome: result }, before: [] };
      } catch (failure) {
        const isLost = failure instanceof Error && failure.name === 'DeviceLostError';
        if (!isLost || isSecondTry) throw failure;
        // The next call gets another device; the text so far stays meanwhile.
        show({ text: denseAlone(visible.text), before: longest(visible.text.readTokens, visible.before) });
        return write(visible.text.dense, true);
      }
    };
    return write(previous?.text.dense ?? [], false);
  };
}

/** The dense text alone. */
function denseAlone(text: TextPair): TextPair {
  return { ...text, readTokens: [], free: null, outcome: null };
}

function longest(a: readonly ReadToken[], b: readonly ReadToken[]): readonly ReadToken[] {
  return a.length >= b.length ? a : b;
}

/** The text after an event. `earlierDense`: an earlier run's dense text, which stays until `dense` is as long. */
function withEvent(
  text: TextPair,
  event: WriteEvent,
  dense: readonly string[],
  earlierDense: readonly string[],
): TextPair {
  switch (event.kind) {
    case 'begin':
      return { ...text, prompt: event.prompt };
    case 'written':
      return { ...text, dense: earlierDense.length > dense.length ? earlierDense : dense };
    case 'read':
      return { ...text, readTokens: [...text.readTokens, ...event.tokens] };
    case 'free':
      return {
        ...text,
        free: { firstDifference: event.firstDifference, tokens: [...(text.free?.tokens ?? []), ...event.tokens] },
      };
  }
}

/** Whether two requests have the same dense text, which is independent of the pruning. */
function sameText(a: WriteRequest, b: WriteRequest): boolean {
  return (
    a.model.id === b.model.id &&
    a.prompt === b.prompt &&
    a.seed === b.seed &&
    a.temperature === b.temperature &&
    a.count === b.count
  );
}
