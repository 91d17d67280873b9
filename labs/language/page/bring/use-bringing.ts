import { useEffect } from 'react';
import { useStore } from 'zustand';
import { type App, useApp, oncePerPage } from '../../../../src/kit/app-context.ts';
import type { ImportedModel } from '../../models/imported-model.ts';
import type { LanguageService } from '../service/service.ts';
import { type Bringing, createBringing } from './bringing.ts';
import { requestPersistence, storageSpace } from './storage-space.ts';

/** The store of imported models, from files or addresses: loading continues on other pages. */
export function useBringing(): Bringing {
  return oncePerPage(useApp(), createOnPage);
}

function createOnPage({ engine }: App): Bringing {
  const { storage } = navigator;
  return createBringing({
    service: engine.service<LanguageService>('language'),
    storageSpace: () => storageSpace(storage),
    persist: () => requestPersistence(storage),
  });
}

/** The imported models; null until their list arrives, which is requested once `isWanted`. */
export function useImported(isWanted: boolean): readonly ImportedModel[] | null {
  const bringing = useBringing();
  const models = useStore(bringing.store, (state) => state.models);
  useEffect(() => {
    if (isWanted && bringing.store.getState().models === null) void bringing.refresh();
  }, [bringing, isWanted]);
  return models;
}
