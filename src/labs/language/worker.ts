import type { StartLab } from '../../engine/lab.ts';
import { BroughtModels } from './models/brought-models.ts';
import { LoadedModels } from './models/loaded-models.ts';
import { modelReader } from './models/model-reader.ts';
import { browserModelStore } from './models/model-store.ts';
import { languageService } from './place/service/service.ts';

export const startLab: StartLab = ({ now, pause, threads, fetch, cache }) => {
  // Kept from pages without a secure address, and from tests.
  const storage = 'navigator' in globalThis && 'storage' in navigator ? navigator.storage : undefined;
  const brought = new BroughtModels({ fetch, cache, store: browserModelStore(storage) });
  const models = new LoadedModels({ now, pause, ...(threads && { threads }), fetch, brought });
  return { services: [languageService({ models, brought })], models: modelReader(models) };
};
