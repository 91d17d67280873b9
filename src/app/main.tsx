// Starts the application, or only the part that another page embeds.

import '../kit/styles/index.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { EMBEDDED } from './pages.ts';
import { showStartFailure } from '../kit/frame/start-failure.ts';
import { createStores, savesData } from './stores.ts';

const isEmbedded = (): boolean => EMBEDDED.isAt(location.hash);

/** Makes the page work offline after the first visit; not in development, nor in a browser that is set to save data. */
function registerOfflineWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || savesData(navigator)) return;
  // An active service worker looks for updates by itself.
  if (navigator.serviceWorker.controller) return;
  const register = (): void => void navigator.serviceWorker.register('offline.js').catch(() => {});
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}

const root = document.getElementById('root');
if (root && isEmbedded()) {
  void EMBEDDED.start(root, createStores);
} else if (root) {
  // An embed address that is pasted into the open page restarts the page. This listener precedes that of the history,
  // which would report a wrong link.
  window.addEventListener('popstate', (event) => {
    if (!isEmbedded()) return;
    event.stopImmediatePropagation();
    location.reload();
  });
  createStores(window).then(
    (stores) => {
      createRoot(root).render(<App stores={stores} />);
      registerOfflineWorker();
    },
    (error: unknown) => showStartFailure(root, error),
  );
}
