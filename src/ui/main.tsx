import './styles/index.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { showStartFailure } from './shell/start-failure.ts';
import { createStores } from './stores.ts';

const root = document.getElementById('root');
if (root) {
  createStores(window).then(
    (stores) => createRoot(root).render(<App stores={stores} />),
    (error: unknown) => showStartFailure(root, error),
  );
}
