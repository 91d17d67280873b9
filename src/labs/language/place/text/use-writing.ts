import { type App, useApp } from '../../../../kit/app-context.ts';
import { isBrought } from '../../theory/brought.ts';
import type { LanguageService } from '../service/service.ts';
import { modelUrl } from '../../overrides/model-url.ts';
import { readRecordedTexts, recordedText, type RecordedTexts } from './recorded.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import { NewestWork, type Working } from '../newest-work.ts';
import type { HeldToken, WriteEvent, WriteRequest } from '../service/types.ts';
import { NO_TEXT, type Text } from './text.ts';

/** The texts that come with a model; null where there are none. Rejects where they are no such texts. */
export async function loadRecordedTexts(model: string): Promise<RecordedTexts | null> {
  if (isBrought(model)) return null;
  const response = await fetch(`${modelUrl(model)}texts.json`);
  return response.ok ? readRecordedTexts(await response.json()) : null;
}

const writingOfApp = new WeakMap<App['session'], Writing>();

/** The page's texts: they stay when the place is left. */
export function useWriting(): Writing {
  const { session, engine } = useApp();
  const known = writingOfApp.get(session);
  if (known) return known;
  const made = createWriting({
    service: engine.service<LanguageService>('language'),
    recorded: loadRecordedTexts,
  });
  writingOfApp.set(session, made);
  return made;
}

interface WritingState extends Working {
  /** what was asked for last; null before anything was */
  readonly request: WriteRequest | null;
  readonly text: Text;
  /** of another pruning, where `text` has no token yet: shown paler */
  readonly before: readonly HeldToken[];
  /** the text was written on another machine and shipped with the page */
  readonly isRecorded: boolean;
}

/** What writing needs of the page. */
interface WritingHost {
  readonly service: Pick<ServiceOf<LanguageService>, 'write'>;
  /** the texts that come with a model; null where there are none */
  recorded(model: string): Promise<RecordedTexts | null>;
}

/** Texts as they are written: the newest is kept until another is asked for. */
interface Writing {
  readonly store: StoreApi<WritingState>;
  /**
   * Shows a text as it is written, in place of the one before; a recorded one is there at once, unless `live`. What is
   * asked for already goes on, once more where its device was lost. Resolves once it has ended.
   */
  write(request: WriteRequest, live?: boolean): Promise<void>;
  /** Ends what is being written; what there is stays. */
  stop(): void;
}

export function createWriting({ service, recorded }: WritingHost): Writing {
  const store = createStore<WritingState>(() => ({
    request: null,
    text: NO_TEXT,
    before: [],
    isRecorded: false,
    running: null,
    error: null,
  }));
  const newest = new NewestWork(store);
  const write = async (request: WriteRequest, live: boolean, isAgain: boolean): Promise<void> => {
    const { request: last, text: old, error, running } = store.getState();
    if (!live && !isAgain && last !== null && sameRequest(last, request) && (running !== null || error === null))
      return;
    // The same dense text: its words stay, and the old tint until there is a new one.
    const isSameText = last !== null && sameText(last, request) && (!live || isAgain);
    store.setState({
      request,
      text: isSameText ? { ...old, held: [], free: null, written: null } : NO_TEXT,
      before: isSameText ? longest(old.held, store.getState().before) : [],
    });
    await newest.run('Writing', async (watch) => {
      const known = live ? null : await recorded(request.model.id).catch(() => null);
      if (!watch.isNewest) return;
      const text = known && recordedText(known, request);
      if (text) return store.setState({ text, before: [], isRecorded: true });
      store.setState({ isRecorded: false });
      const keptDense = isSameText ? old.dense : [];
      let dense: readonly string[] = [];
      const onEvent = (event: WriteEvent): void => {
        if (!watch.isNewest) return;
        if (event.kind === 'written') dense = [...dense, ...event.tokens];
        store.setState(({ text: shown }) => ({ text: withEvent(shown, event, dense, keptDense) }));
      };
      try {
        const written = await service.write(watch, request, onEvent);
        if (watch.isNewest) store.setState(({ text: shown }) => ({ text: { ...shown, dense, written }, before: [] }));
      } catch (failure) {
        const isLost = failure instanceof Error && failure.name === 'DeviceLostError';
        // The next caller gets another device; the text so far stays meanwhile.
        if (!isLost || isAgain || !watch.isNewest) throw failure;
        await write(request, live, true);
      }
    });
  };
  return {
    store,
    write: (request, live = false) => write(request, live, false),
    stop() {
      newest.stop();
    },
  };
}

function longest(a: readonly HeldToken[], b: readonly HeldToken[]): readonly HeldToken[] {
  return a.length >= b.length ? a : b;
}

/** The text once something more of it is there. A dense text that was there before is not written anew before our eyes. */
function withEvent(text: Text, event: WriteEvent, dense: readonly string[], kept: readonly string[]): Text {
  switch (event.kind) {
    case 'begin':
      return { ...text, prompt: event.prompt };
    case 'written':
      return { ...text, dense: kept.length > dense.length ? kept : dense };
    case 'held':
      return { ...text, held: [...text.held, ...event.tokens] };
    case 'free':
      return { ...text, free: { fork: event.fork, tokens: [...(text.free?.tokens ?? []), ...event.tokens] } };
  }
}

/** Whether two requests ask for the same dense text, and what any pruning makes of it. */
function sameText(a: WriteRequest, b: WriteRequest): boolean {
  return (
    a.model.id === b.model.id &&
    a.prompt === b.prompt &&
    a.seed === b.seed &&
    a.temperature === b.temperature &&
    a.count === b.count
  );
}

/** Whether two requests ask for the same texts. */
function sameRequest(a: WriteRequest, b: WriteRequest): boolean {
  const stored = ({ pruning, format, params, own = [], calibration = '' }: WriteRequest): string =>
    JSON.stringify([pruning, format, params, own, calibration]);
  return sameText(a, b) && stored(a) === stored(b);
}
