import './styles/index.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { showStartFailure } from './shell/start-failure.ts';
import { createStores } from './stores.ts';

const root = document.getElementById('root');
if (root && /^#\d+\/embed\b/.test(location.hash)) {
  // The stage alone, in a frame of another page.
  void import('./embed/start.ts').then(({ startEmbed }) => startEmbed(root));
} else if (root) {
  createStores(window).then(
    (stores) => createRoot(root).render(<App stores={stores} />),
    (error: unknown) => showStartFailure(root, error),
  );
}
