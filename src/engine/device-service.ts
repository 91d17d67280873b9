import type { ServiceJob } from './bridge/service-job.ts';
import { defineService } from './bridge/service.ts';
import type { DeviceStatus } from './device.ts';
import type { EngineHost } from './host.ts';

/** The service that reports which GPU the engine computes on. */
export const device = defineService('device', (host: EngineHost) => ({
  /** The open device, or a message why there is none. */
  status: (_job: ServiceJob): Promise<DeviceStatus> => host.device.status(),
}));
