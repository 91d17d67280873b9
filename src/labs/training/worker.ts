import { loadedService } from '../../engine/bridge/service.ts';
import type { StartLab } from '../../engine/lab.ts';

/** The Training lab in the worker: its service, loaded when it is first asked. */
export const startLab: StartLab = () => ({
  services: [loadedService('training', async () => (await import('./place/service/service.ts')).trainingService)],
});
