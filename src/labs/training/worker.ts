import { loadedService } from '../../engine/bridge/service.ts';
import type { StartLab } from '../../engine/lab.ts';

export const startLab: StartLab = () => ({
  services: [loadedService('training', async () => (await import('./place/service/service.ts')).trainingService)],
});
