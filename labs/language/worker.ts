import { loadedService } from '../../src/engine/bridge/service.ts';
import type { StartLab } from '../../src/engine/lab.ts';

/** What the lab (part of the application) for language models adds to the worker: a service, and a model reader. */
export const startLab: StartLab = (context) => {
  let opening: Promise<Awaited<ReturnType<typeof open>>> | null = null;
  const open = async () => (await import('./page/service/open-language.ts')).openLanguage(context);
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
