import { useEffect } from 'react';
import { useStore } from 'zustand';
import { type App, useApp } from '../../../../kit/app-context.ts';
import type { BroughtModel } from '../../models/brought-models.ts';
import type { LanguageService } from '../service/service.ts';
import { type Bringing, createBringing } from './bringing.ts';
import { persistIn, roomOf } from './room.ts';

const bringingOfApp = new WeakMap<App['session'], Bringing>();

/** The page's brought models: what is being loaded goes on when the place is left. */
export function useBringing(): Bringing {
  const { session, engine } = useApp();
  const known = bringingOfApp.get(session);
  if (known) return known;
  const { storage } = navigator;
  const made = createBringing({
    service: engine.service<LanguageService>('language'),
    room: () => roomOf(storage),
    persist: () => persistIn(storage),
  });
  bringingOfApp.set(session, made);
  return made;
}

/** Models that were brought; null until they are known. They are asked for once `isWanted`. */
export function useBrought(isWanted: boolean): readonly BroughtModel[] | null {
  const bringing = useBringing();
  const models = useStore(bringing.store, (state) => state.models);
  useEffect(() => {
    if (isWanted && bringing.store.getState().models === null) void bringing.refresh();
  }, [bringing, isWanted]);
  return models;
}
