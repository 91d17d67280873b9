// Imports language models from files or an address: checks, reads, stores and lists them.

import { clip } from '../../../src/core/bounds/quote.ts';
import { ReadError } from '../../../src/core/errors.ts';
import type { Job } from '../../../src/core/job.ts';
import { throwIfCancelled } from '../../../src/core/pace.ts';
import {
  fileSource,
  type MatrixFile,
  type RandomAccessSource,
  parseReference,
  type RemoteCache,
  ConnectionError,
  openReference,
} from '../../../src/io/index.ts';
import { chainRejection } from '../decoders/chain/rejection.ts';
import { type ModelFile, type ModelFolder, type ModelPlan, openModel, modelPlan } from '../decoders/open/open-model.ts';
import { readAllWeights } from '../decoders/read/decoder-weights.ts';
import { IMPORTED_ID_PREFIX } from '../theory/imported.ts';
import type { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import type { LoadedModel } from './loaded-model.ts';
import { type ImportedModel, savedModelOrProblem } from './imported-model.ts';
import { fileIn, fingerprint, idOf } from './model-id.ts';
import { type ModelStore, QuotaError, type StoreEntry } from './model-store.ts';

export type { ModelPlan };

/** The location of a model to import: the user's files, or an address. */
export type ModelRequest =
  /** `folder`: the model's name if its files contain none */
  | { readonly kind: 'files'; readonly files: readonly MatrixFile[]; readonly folder: string }
  | { readonly kind: 'remote'; readonly reference: string; readonly token: string | null };

/** A model whose files are stored only in part. */
export interface UnfinishedModel {
  readonly id: string;
  readonly bytes: number;
}

/** An entry among the saved models that is not a model, or cannot be read. */
export interface UnreadableEntry {
  /** its name in the folder, by which it can be removed */
  readonly entry: string;
  readonly kind: 'model' | 'folder' | 'file';
  readonly name: string;
  /** what was found there, and expected */
  readonly why: string;
}

interface ImportedEnvironment {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly cache: RemoteCache;
  /** absent or null: models cannot be saved */
  readonly store?: ModelStore | null | undefined;
}

/** The imported models: reads them, stores their files in this browser, and caches the model read last in memory. */
export class ImportedModels {
  readonly #environment: ImportedEnvironment;
  /** listed models, by id; `request` null: the files are stored in this browser */
  readonly #models = new Map<string, { readonly about: ImportedModel; readonly request: ModelRequest | null }>();
  #loaded: LoadedModel | null = null;
  /** the model being read; null if there is none, or the user has removed it */
  #loading: { readonly id: string; readonly model: Promise<LoadedModel> } | null = null;

  constructor(environment: ImportedEnvironment) {
    this.#environment = environment;
  }

  /**
   * Inspects a model without fetching a weight. Throws ReadError for a model that cannot be decoded, and
   * CancelledError.
   */
  async inspect(request: ModelRequest, job: ServiceJob): Promise<ModelPlan> {
    return modelPlan(await openModel(await this.#folder(request, job), job));
  }

  /**
   * Imports a model into memory; with `isSaved` its files are stored in this browser first. The stored bytes stay if
   * the connection breaks, and the same call continues from there. Throws ReadError, and CancelledError.
   */
  async import(
    request: ModelRequest,
    { isSaved }: { readonly isSaved: boolean },
    job: ServiceJob,
  ): Promise<ImportedModel> {
    const folder = await this.#folder(request, job);
    const opened = await openModel(folder, job);
    const { config } = opened;
    const { from, files } = opened.source;
    const id = idOf(config.name, await fingerprint(files, folder));
    const about: ImportedModel = {
      id,
      config,
      from,
      files: files.map(({ name }) => name),
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      notOnGpu: chainRejection(config),
      isKept: isSaved,
    };
    if (isSaved) {
      // First, since without a usable tokenizer the weights would be useless.
      await opened.readTokens(job);
      await this.#save(about, files, folder, job);
      this.#models.set(id, { about, request: null });
      await this.load(id, job);
    } else {
      await this.#read(id, async () => folder, job);
      this.#models.set(id, { about, request });
    }
    return about;
  }

  /** Saved models, and the models imported since the page was opened. */
  async list(): Promise<readonly ImportedModel[]> {
    for (const entry of await this.#entries()) {
      if (entry.kind !== 'model' || this.#models.has(entry.id)) continue;
      const about = savedModelOrProblem(entry.id, entry.note);
      if (typeof about !== 'string') this.#models.set(entry.id, { about, request: null });
    }
    return [...this.#models.values()].map(({ about }) => about);
  }

  /** Models whose download was interrupted after some bytes were stored. */
  async unfinished(): Promise<readonly UnfinishedModel[]> {
    return (await this.#entries()).flatMap((entry) =>
      entry.kind === 'part' ? [{ id: entry.id, bytes: entry.bytes }] : [],
    );
  }

  /** Entries among the saved models that cannot be read, and can only be removed. */
  async unreadable(): Promise<readonly UnreadableEntry[]> {
    return (await this.#entries()).flatMap((stored): readonly UnreadableEntry[] => {
      const { entry, kind } = stored;
      if (kind === 'unreadable') return [{ entry, kind: stored.fileKind, name: clip(entry), why: stored.why }];
      const note = kind === 'model' ? savedModelOrProblem(stored.id, stored.note) : null;
      return typeof note === 'string' ? [{ entry, kind: 'model', name: clip(stored.id), why: note }] : [];
    });
  }

  async removeUnreadable(entry: string): Promise<void> {
    await this.#environment.store?.removeEntry(entry);
  }

  async #entries(): Promise<readonly StoreEntry[]> {
    return (await this.#environment.store?.entries()) ?? [];
  }

  /** Removes a model from the list and from memory, and its saved files. */
  async remove(id: string): Promise<void> {
    await this.#environment.store?.remove(id);
    this.#models.delete(id);
    if (this.#loaded?.id === id) this.#loaded = null;
    if (this.#loading?.id === id) this.#loading = null;
  }

  /**
   * An imported model, read again if another one was read since. A second call while it is read gets the same model,
   * and reads it itself if the first call fails or is cancelled. Throws ReadError and CancelledError.
   */
  async load(id: string, job: ServiceJob): Promise<LoadedModel> {
    if (this.#loaded?.id === id) return this.#loaded;
    if (this.#loading?.id !== id) return this.#read(id, () => this.#folderOf(id, job), job);
    const model = await this.#loading.model.catch(() => null);
    throwIfCancelled(job);
    return model ?? this.load(id, job);
  }

  /** Reads a model, which replaces the one in memory. Throws ReadError and CancelledError. */
  async #read(id: string, open: () => Promise<ModelFolder>, job: ServiceJob): Promise<LoadedModel> {
    const read = async (): Promise<LoadedModel> => {
      const folder = await open();
      // Frees the memory of the model read before, which the new model needs.
      this.#loaded = null;
      return this.#load(id, folder, job);
    };
    const loading = { id, model: read() };
    this.#loading = loading;
    try {
      const model = await loading.model;
      if (this.#loading === loading) this.#loaded = model;
      return model;
    } finally {
      if (this.#loading === loading) this.#loading = null;
    }
  }

  /** The files of an imported model. Throws ReadError and CancelledError. */
  async #folderOf(id: string, job: ServiceJob): Promise<ModelFolder> {
    await this.list();
    const loaded = this.#models.get(id);
    if (!loaded) {
      throw new ReadError(`${id.slice(IMPORTED_ID_PREFIX.length)}: not in this browser; import it again`);
    }
    return loaded.request ? this.#folder(loaded.request, job) : this.#savedFolder(loaded.about);
  }

  /** Opens the files of a model, and reads its tokenizer and all of its weights. */
  async #load(id: string, folder: ModelFolder, job: ServiceJob): Promise<LoadedModel> {
    const opened = await openModel(folder, job);
    const { config } = opened;
    // First, since without a usable tokenizer the weights would be useless.
    const tokenizer = await opened.readTokens(job);
    return { id, config, tokenizer, weights: await readAllWeights(config, opened.weights, job) };
  }

  async #save(about: ImportedModel, files: readonly ModelFile[], folder: ModelFolder, job: ServiceJob): Promise<void> {
    const { store } = this.#environment;
    if (!store) throw new ReadError('this browser has no private files to keep a model in');
    const { id, bytes: total } = about;
    let done = 0;
    for (const { name, bytes } of files) {
      throwIfCancelled(job);
      const storedBytes = await store.sizeOf(id, name);
      const source = await fileIn(folder, name);
      const doneBefore = done + Math.min(storedBytes, bytes);
      // A file that is too long is another file.
      if (storedBytes > bytes) {
        throw new ReadError(
          `${name}: found ${storedBytes} bytes in this browser, expected at most ${bytes}; remove the model first`,
        );
      }
      if (storedBytes < bytes) {
        const rest = chunksWithProgress(source.slice(storedBytes, bytes), name, doneBefore, total, job);
        await this.#explainFailure(about, store.append(id, name, rest));
      }
      done += bytes;
    }
    await this.#explainFailure(about, store.finish(id, JSON.stringify(about)));
  }

  /** Throws ReadError if writing fails; also removes the stored files if there was no space for the rest. */
  async #explainFailure({ id, bytes, config }: ImportedModel, writing: Promise<void>): Promise<void> {
    try {
      await writing;
    } catch (error) {
      if (error instanceof ConnectionError) {
        throw new ReadError(`${error.message}; what arrived stays: load it again`);
      }
      if (!(error instanceof QuotaError)) throw error;
      await this.#environment.store?.remove(id);
      throw new ReadError(
        `${config.name}: found too little space for its ${bytes} bytes in this browser, expected it to be used without being saved`,
      );
    }
  }

  async #savedFolder({ id, from, config, files }: ImportedModel): Promise<ModelFolder> {
    const savedFiles: File[] = [];
    for (const name of files) {
      const blob = await this.#environment.store?.file(id, name);
      if (blob) savedFiles.push(new File([blob], name)); // bounded: the files of a model
    }
    return { ...diskFolder(savedFiles, config.name), from };
  }

  async #folder(request: ModelRequest, job: ServiceJob): Promise<ModelFolder> {
    return request.kind === 'files'
      ? diskFolder(request.files, request.folder)
      : this.#remoteFolder(request.reference, request.token, job);
  }

  async #remoteFolder(address: string, token: string | null, job: ServiceJob): Promise<ModelFolder> {
    const reference = address.trim();
    job.report({ what: 'Connecting', done: 0, total: 1 });
    const { fetch, cache } = this.#environment;
    const parsed = parseReference(reference);
    const isFolder = parsed.kind === 'url' && parsed.url.endsWith('/');
    const opened = await openReference(isFolder ? `${parsed.url}config.json` : reference, {
      fetch,
      cache,
      token,
      signal: job.signal,
      main: 'config.json',
    });
    const isMain = /\.gguf$/i.test(opened.source.name);
    const sibling = async (name: string): Promise<RandomAccessSource | null> =>
      (await opened.sibling(name)) as RandomAccessSource | null;
    const from = reference.replace(/^https?:\/\//i, '').replace(/[?#].*$/s, '');
    const name = nameIn(isMain ? from : from.replace(/\/(config|model)[^/]*\.(json|safetensors)$/i, ''));
    const file = async (fileName: string) => (fileName === opened.source.name ? opened.source : sibling(fileName));
    return { from, name, main: isMain ? opened.source : null, file };
  }
}

/** The bytes of a file, with progress over all files of a model; `doneBefore`: how many of their bytes are stored. */
async function* chunksWithProgress(
  source: RandomAccessSource,
  name: string,
  doneBefore: number,
  total: number,
  job: Job,
): AsyncGenerator<Uint8Array, void> {
  let done = doneBefore;
  for await (const chunk of source.chunks()) {
    throwIfCancelled(job);
    yield chunk;
    done += chunk.length;
    job.report({ what: `Keeping ${name}`, done, total });
  }
}

/** The last part of an address, without its extension. */
function nameIn(address: string): string {
  const last = address.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.replace(/\.gguf$/i, '') || 'model';
}

/** Picked files, or the files of a picked folder. */
function diskFolder(files: readonly MatrixFile[], folder: string): ModelFolder {
  const sources = files.map(fileSource);
  const main = sources.find(({ name }) => /\.gguf$/i.test(name)) ?? null;
  const name = main ? nameIn(main.name) : folder;
  const file = async (fileName: string): Promise<RandomAccessSource | null> =>
    sources.find((source) => source.name === fileName) ?? null;
  return { from: 'this computer', name, main, file };
}
