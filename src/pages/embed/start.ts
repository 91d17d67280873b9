import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { showStartFailure } from '../../kit/frame/start-failure.ts';
import { readEmbedHash } from '../../state/index.ts';
import type { CreateStores } from '../../kit/page.ts';
import { EmbedApp } from './EmbedApp.tsx';

/** Starts the page in an iframe; a changed address reloads the page. It writes no history, and stores nothing. */
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
