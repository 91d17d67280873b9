import { useEffect } from 'react';
import { useStore } from 'zustand';
import { type App, useApp, oncePerPage } from '../../../../kit/app-context.ts';
import type { BroughtModel } from '../../models/brought-models.ts';
import type { LanguageService } from '../service/service.ts';
import { type Bringing, createBringing } from './bringing.ts';
import { requestPersistence, storageRoom } from './room.ts';

/** The models that a person brings (opens): one store, so that loading continues when the place is left. */
export function useBringing(): Bringing {
  return oncePerPage(useApp(), createOnPage);
}

function createOnPage({ engine }: App): Bringing {
  const { storage } = navigator;
  return createBringing({
    service: engine.service<LanguageService>('language'),
    room: () => storageRoom(storage),
    persist: () => requestPersistence(storage),
  });
}

/** The models that were brought so far; null until they are known. Requested once `isWanted`. */
export function useBrought(isWanted: boolean): readonly BroughtModel[] | null {
  const bringing = useBringing();
  const models = useStore(bringing.store, (state) => state.models);
  useEffect(() => {
    if (isWanted && bringing.store.getState().models === null) void bringing.refresh();
  }, [bringing, isWanted]);
  return models;
}
