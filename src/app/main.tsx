import '../kit/styles/index.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { showStartFailure } from '../kit/frame/start-failure.ts';
import { createStores } from './stores.ts';

/** Whether the address asks for the stage alone, as `readEmbedHash` reads it. */
const isEmbedded = (): boolean => /^#\d+\/embed(?=\?|$)/.test(location.hash);

const root = document.getElementById('root');
if (root && isEmbedded()) {
  // In a frame of another page.
  void import('../places/embed/start.ts').then(({ startEmbed }) => startEmbed(root));
} else if (root) {
  // Pasted into an open page it is another start. First of all listeners: the history would take it for a wrong link.
  window.addEventListener('popstate', (event) => {
    if (!isEmbedded()) return;
    event.stopImmediatePropagation();
    location.reload();
  });
  createStores(window).then(
    (stores) => createRoot(root).render(<App stores={stores} />),
    (error: unknown) => showStartFailure(root, error),
  );
}
