import { type App, useApp } from '../../../kit/app-context.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import type { language } from '../service/service.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import { readRecordedTexts, type RecordedTexts } from './recorded.ts';
import { createWriting, type Writing } from './writing.ts';

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
    service: engine.service<typeof language>('language'),
    recorded: loadRecordedTexts,
  });
  writingOfApp.set(session, made);
  return made;
}
