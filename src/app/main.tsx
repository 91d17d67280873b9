import '../kit/styles/index.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { STANDALONE } from './places.ts';
import { showStartFailure } from '../kit/frame/start-failure.ts';
import { createStores, savesData } from './stores.ts';

/** Whether the address asks for a page of its own. */
const isStandalone = (): boolean => STANDALONE.isAt(location.hash);

/** What was opened once works without a network; not where a page frames this one, nor in development. */
function registerOfflineWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || savesData(navigator)) return;
  // One that answers already looks for updates by itself, and may be ending.
  if (navigator.serviceWorker.controller) return;
  const register = (): void => void navigator.serviceWorker.register('offline.js').catch(() => {});
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}

const root = document.getElementById('root');
if (root && isStandalone()) {
  // In a frame of another page.
  void STANDALONE.start(root, createStores);
} else if (root) {
  // Pasted into an open page it is another start. First of all listeners: the history would take it for a wrong link.
  window.addEventListener('popstate', (event) => {
    if (!isStandalone()) return;
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
