import { loadedService } from '../../engine/bridge/service.ts';
import type { StartLab } from '../../engine/lab.ts';

/** The lab Language, models that write text, in the worker: its service, and its reader of models. */
export const startLab: StartLab = (context) => {
  let opening: Promise<Awaited<ReturnType<typeof open>>> | null = null;
  const open = async () => (await import('./place/service/open-language.ts')).openLanguage(context);
  /** The code of the lab, loaded for the first request, and again after a failure. */
  const opened = (): ReturnType<typeof open> => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    services: [loadedService('language', async () => (await opened()).service)],
    models: { read: async (...request) => (await opened()).models.read(...request) }, // bounded: the arguments of one call
  };
};
