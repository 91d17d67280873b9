import { lazyPart, loadLater } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { BENCHMARK } from './address.ts';

const startRun = () => import('./form/start-run.ts');
loadLater(startRun);

export const benchmark: Place = {
  ...BENCHMARK,
  Page: lazyPart(async () => (await import('./BenchPage.tsx')).BenchPage),
  commands: ({ app, run }) => [
    { id: 'run', group: 'Benchmark', title: 'Run', keys: ['$mod+Enter'], run },
    { id: 'cancel', group: 'Benchmark', title: 'Cancel the run', run: app.session.cancelBench },
  ],
  async run(app) {
    app.session.setView(BENCHMARK.id);
    (await startRun()).startRun(app);
  },
};
