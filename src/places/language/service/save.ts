import type { ServiceJob } from '../../../engine/bridge/job.ts';
import type { LoadedModels } from '../../../engine/models/loaded-models.ts';
import { readBytes } from '../../../io/source.ts';
import { type ModelFolder, openModel } from '../../../language/open/open-model.ts';
import { modelFile, type SavedFrom } from '../../../language/stored/save-model.ts';
import { writtenRecipe } from './recipe-of.ts';
import type { SavedModel, SaveRequest } from './types.ts';

/** Bytes of a provenance.json at most. */
const MOST_PROVENANCE = 2 ** 16;

/** See the service. */
export async function savedBytes(models: LoadedModels, request: SaveRequest, job: ServiceJob): Promise<number> {
  return (await fileOf(models, request, job)).bytes;
}

/** See the service. */
export async function saveModel(models: LoadedModels, request: SaveRequest, job: ServiceJob): Promise<SavedModel> {
  const model = await models.of(request.model, job);
  const file = await fileOf(models, request, job);
  const weights = await models.stored(model, writtenRecipe(request), job);
  // The browser keeps what a Blob has on its disk when it needs the memory.
  const parts: Blob[] = [];
  for await (const chunk of file.chunks(weights, job)) parts.push(new Blob([chunk])); // bounded: pieces of one archive
  return { name: `${nameOf(request.model.id)}.zip`, blob: new Blob(parts, { type: 'application/zip' }) };
}

async function fileOf(models: LoadedModels, request: SaveRequest, job: ServiceJob) {
  const { model } = request;
  const folder = await models.folderOf(model, job);
  const from: SavedFrom = {
    model: model.id.replace(/^brought:/, ''),
    from: folder.from,
    sha256: await hashesOf(folder),
    date: new Date().toISOString(),
  };
  return modelFile(await openModel(folder, job), writtenRecipe(request), from);
}

/** Those that a model's own provenance.json says. */
async function hashesOf(folder: ModelFolder): Promise<SavedFrom['sha256']> {
  try {
    const file = await folder.file('provenance.json');
    if (file === null || file.size > MOST_PROVENANCE) return null;
    const { sha256 } = JSON.parse(new TextDecoder().decode(await readBytes(file, 0, file.size))) as {
      sha256?: Record<string, string>;
    };
    return sha256 ?? null;
  } catch {
    // It says where a model is from; without it the model is the same.
    return null;
  }
}

function nameOf(id: string): string {
  return `${id.replace(/^brought:/, '').replaceAll(/[^\w.-]+/g, '-')}-pruned`;
}
