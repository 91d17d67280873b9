import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { showStartFailure } from '../../kit/frame/start-failure.ts';
import { readEmbedHash } from '../../state/embed-address.ts';
import type { CreateStores } from '../../kit/place.ts';
import { EmbedApp } from './EmbedApp.tsx';

/**
 * Starts the stage alone, as another page frames it. It writes no history, which would be that page's, and keeps nothing
 * in this browser. An address that is changed from outside is another start.
 */
export async function startEmbed(root: HTMLElement, createStores: CreateStores): Promise<void> {
  const address = readEmbedHash(window.location.hash);
  if (!address) return;
  window.addEventListener('hashchange', () => window.location.reload());
  try {
    const stores = await createStores(window, address);
    stores.preferences.store.setState({ theme: address.theme });
    createRoot(root).render(createElement(EmbedApp, { stores, address }));
  } catch (error) {
    showStartFailure(root, error);
  }
}
