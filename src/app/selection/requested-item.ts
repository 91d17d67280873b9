/* Commands and buttons of any page open the popover of an item (matrix, format ...) in the selection bar. */

import { useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { App } from '../../kit/app-context.ts';
import { PAGES } from '../pages.ts';
import type { ItemId, ItemPart } from './selection-item.ts';

interface RequestedItem {
  readonly item: ItemId;
  /** the button of the item or the panel of the matrix picker that is opened; null: the item's only button */
  readonly part: ItemPart | null;
}

/** The item of the selection bar that is to be opened; null once it is open. */
export const requestedItem = createStore<RequestedItem | null>(() => null);

/** Opens an item of the selection bar; first leaves a page without the bar, such as a lesson. */
export function openItem({ session, document }: Pick<App, 'session' | 'document'>, request: RequestedItem): void {
  showSelectionBar({ session, document });
  requestedItem.setState(request, true);
}

/** Goes to the first page, which shows the selection bar, unless the current page shows it. */
export function showSelectionBar({ session, document }: Pick<App, 'session' | 'document'>): void {
  const doc = document.getState();
  const page = PAGES.find(({ id }) => id === doc.view);
  if (page?.hidesSelectionBar?.(doc)) session.setView(PAGES[0].id);
}

/** Calls `open` with each requested item, even if the request is older than the selection bar. */
export function useRequestedItem(open: (request: RequestedItem) => void): void {
  const onRequest = useEffectEvent(open);
  useEffect(() => {
    const handle = (): void => {
      const request = requestedItem.getState();
      if (request === null) return;
      requestedItem.setState(null, true);
      onRequest(request);
    };
    handle();
    return requestedItem.subscribe(handle);
  }, []);
}
