import { lazyPart, registerPart } from '../../kit/browser/lazy-part.ts';
import type { AppPage } from '../../kit/page.ts';
import { MEASURE } from './address.ts';

const loadBenchSetup = () => import('./form/bench-setup.ts');
registerPart(loadBenchSetup);

/** The page Measure: times of formats on this device, or recorded on others. */
export const measure: AppPage = {
  ...MEASURE,
  Page: lazyPart(async () => (await import('./MeasurePage.tsx')).MeasurePage),
  commands: ({ run }) => [{ id: 'run', group: 'Measure', title: 'Run', keys: ['$mod+Enter'], run }],
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES,
  async run(app) {
    app.session.setView(MEASURE.id);
    (await loadBenchSetup()).startRun(app);
  },
};
