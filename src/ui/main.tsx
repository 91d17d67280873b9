import './styles/index.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { showStartFailure } from './shell/start-failure.ts';
import { createStores } from './stores.ts';

const root = document.getElementById('root');
if (root) {
  try {
    createRoot(root).render(<App stores={createStores(window)} />);
  } catch (error) {
    showStartFailure(root, error);
  }
}
