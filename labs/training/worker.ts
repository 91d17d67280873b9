import { loadedService } from '../../src/engine/bridge/service.ts';
import type { StartLab } from '../../src/engine/lab.ts';

/** What the lab (part of the application) for training adds to the worker: a service, loaded at its first call. */
export const startLab: StartLab = () => ({
  services: [loadedService('training', async () => (await import('./page/service/service.ts')).trainingService)],
});
