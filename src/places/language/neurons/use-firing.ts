import { type App, useApp } from '../../../kit/app-context.ts';
import type { language } from '../service/service.ts';
import { createFiring, type Firing } from './firing.ts';
import { loadTale, recordedTale } from './recorded-tale.ts';

const firingOfApp = new WeakMap<App['session'], Firing>();

/** The page's text with its neurons: it stays when the place is left. */
export function useFiring(): Firing {
  const { session, engine } = useApp();
  const known = firingOfApp.get(session);
  if (known) return known;
  const made = createFiring({
    service: engine.service<typeof language>('language'),
    recorded: async (request) => recordedTale(await loadTale(), request),
  });
  firingOfApp.set(session, made);
  return made;
}
