// Loads language models in the worker, prunes them, and caches both.

import { ReadError } from '../../../src/core/errors.ts';
import { NO_NETWORK } from '../../../src/core/error-messages.ts';
import type { Steps } from '../../../src/core/job.ts';
import type { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { finishPaced, type WorkerPace } from '../../../src/engine/worker-pace.ts';
import { fileSource, streamChunks, openSafetensors } from '../../../src/io/index.ts';
import type { DecoderWeights } from '../decoders/decoder.ts';
import { BatchModel } from '../decoders/batch/batch-model.ts';
import { CalibrationTexts } from '../decoders/batch/text-calibration.ts';
import { readDecoderConfig } from '../decoders/read/decoder-config.ts';
import { readDecoderWeights } from '../decoders/read/decoder-weights.ts';
import { readTokenizer } from '../decoders/tokenizer.ts';
import { isUnchanged, needsInputs, type Recipe, recipeKey } from '../decoders/stored/recipe.ts';
import { type Calibration, type InputNorms, pruneAndRoundSteps } from '../decoders/stored/prune-and-round.ts';
import { isImported } from '../theory/imported.ts';
import { weightsOf } from '../../../src/theory/models/model-shape.ts';
import type { ImportedModels } from './imported-models.ts';
import { JobQueue } from './job-queue.ts';
import type { LoadedModel } from './loaded-model.ts';
import { drawTale } from '../tales/draw.ts';

/** Where the files of a model are. */
export interface ModelAddress {
  readonly id: string;
  /** absolute URL of its folder, with the '/' at its end; for an imported model, its id */
  readonly url: string;
}

interface ModelEnvironment extends WorkerPace {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** reads imported models, by id */
  readonly imported?: Pick<ImportedModels, 'load'>;
}

/** Maximum number of pruned models in memory; each of the largest shipped model has 14 MB. */
const MAX_PRUNED = 4;
/** Maximum number of weights of all pruned models in memory; the last pruned model stays, even if it has more. */
const MAX_PRUNED_WEIGHTS = 2 ** 25;

/** Calibration texts, which provide the norms of inputs for Wanda: tales (short stories), generated from a seed. */
const CALIBRATION = { seed: 2047, tales: 4 };

/** Token ids of each calibration tale, without bos, for pruning by Wanda. */
export function calibrationIds({ tokenizer }: LoadedModel): readonly (readonly number[])[] {
  return Array.from({ length: CALIBRATION.tales }, (_, i) =>
    tokenizer.encode(drawTale('training', CALIBRATION.seed, i).text),
  );
}

/** Loads shipped and imported models, and prunes them. Caches shipped models, and the last pruned ones. */
export class LoadedModels {
  readonly #environment: ModelEnvironment;
  readonly #models = new Map<string, Promise<LoadedModel>>();
  readonly #norms = new Map<string, readonly InputNorms[]>();
  /** by model and recipe, least recently used first */
  readonly #pruned = new Map<string, DecoderWeights>();
  /** the calibration texts of the last model, by text; '' for the tales */
  #calibrations: {
    readonly model: LoadedModel;
    readonly batch: BatchModel;
    readonly texts: Map<string, CalibrationTexts>;
  } | null = null;
  /** runs one pruning at a time, so that a second request for the same finds it cached */
  readonly #queue = new JobQueue();

  constructor(environment: ModelEnvironment) {
    this.#environment = environment;
  }

  /** A shipped or imported model. Throws ReadError with the file, found and expected, and CancelledError. */
  async load(address: ModelAddress, job: ServiceJob): Promise<LoadedModel> {
    const { imported } = this.#environment;
    if (imported && isImported(address.url)) return imported.load(address.url, job);
    const loaded = this.#models.get(address.url);
    // A read that was cancelled or failed for another caller is repeated.
    if (loaded) return loaded.catch(() => this.#read(address, job));
    return this.#read(address, job);
  }

  /** The model with its blocks' matrices pruned and rounded; the model itself if the recipe changes nothing. */
  async pruned(model: LoadedModel, recipe: Recipe, job: ServiceJob): Promise<DecoderWeights> {
    if (isUnchanged(recipe)) return model.weights;
    const key = `${model.id} ${recipeKey(recipe)}`;
    return this.#queue.run(job, async () => {
      const calibration = needsInputs(recipe) ? this.#calibration(model, recipe.calibration) : null;
      const steps = pruneAndRoundSteps(model.config, model.weights, recipe, calibration);
      const pruned = this.#pruned.get(key) ?? (await finishPaced(steps, job, this.#environment));
      this.#pruned.delete(key);
      this.#pruned.set(key, pruned);
      for (const oldest of this.#pruned.keys()) {
        const max = Math.max(1, Math.min(MAX_PRUNED, Math.floor(MAX_PRUNED_WEIGHTS / weightsOf(model.config))));
        if (this.#pruned.size <= max) break;
        this.#pruned.delete(oldest);
      }
      return pruned;
    });
  }

  /** Norms of the inputs of every matrix of the unpruned model, by layer, over the calibration tales; cached. */
  async inputNorms(model: LoadedModel, job: ServiceJob): Promise<readonly InputNorms[]> {
    return this.#queue.run(job, async () => {
      const cached = this.#norms.get(model.id);
      if (cached) return cached;
      const norms = await finishPaced(normsSteps(model.weights, this.#calibration(model)), job, this.#environment);
      this.#norms.set(model.id, norms);
      return norms;
    });
  }

  /** Releases all data computed from imported models. */
  forgetImported(): void {
    for (const key of this.#pruned.keys()) if (isImported(key)) this.#pruned.delete(key);
    for (const id of this.#norms.keys()) if (isImported(id)) this.#norms.delete(id);
    if (this.#calibrations && isImported(this.#calibrations.model.id)) this.#calibrations = null;
  }

  /** The calibration texts for pruning by Wanda: `text`, or the tales. */
  #calibration(model: LoadedModel, text = ''): Calibration {
    const { config } = model;
    if (this.#calibrations?.model !== model) {
      const batch = new BatchModel(config, config.context);
      batch.setWeights(model.weights);
      this.#calibrations = { model, batch, texts: new Map() };
    }
    const { batch, texts } = this.#calibrations;
    const cached = texts.get(text);
    if (cached) return cached.begin();
    const bos = config.bos === null ? [] : [config.bos];
    const ids =
      text === '' ? calibrationIds(model) : inPieces(model.tokenizer.encode(text), config.context - bos.length);
    const calibration = new CalibrationTexts(
      batch,
      ids.map((piece) => [...bos, ...piece].slice(0, config.context)),
    );
    // Caches the tales, and the last text.
    for (const earlierText of texts.keys()) if (earlierText !== '') texts.delete(earlierText);
    texts.set(text, calibration);
    return calibration.begin();
  }

  #read(address: ModelAddress, job: ServiceJob): Promise<LoadedModel> {
    const reading = this.#readFiles(address, job);
    this.#models.set(address.url, reading);
    reading.catch(() => {
      if (this.#models.get(address.url) === reading) this.#models.delete(address.url);
    });
    return reading;
  }

  async #readFiles({ id, url }: ModelAddress, job: ServiceJob): Promise<LoadedModel> {
    const text = async (name: string): Promise<string> =>
      new TextDecoder().decode(await this.#file(`${url}${name}`, job));
    const [configText, tokenizerText, bytes] = await Promise.all([
      text('config.json'),
      text('tokenizer.json'),
      this.#file(`${url}model.safetensors`, job, 'Loading the weights'),
    ]);
    const config = readDecoderConfig(configText, `${id}/config.json`);
    const container = await openSafetensors(fileSource({ name: `${id}/model.safetensors`, bytes }), job);
    const weights = await readDecoderWeights(config, container, job);
    const tokenizer = readTokenizer(tokenizerText, config, `${id}/tokenizer.json`);
    return { id, config, weights, tokenizer };
  }

  /** Fetches a file; if `what` names this job, with progress. */
  async #file(url: string, job: ServiceJob, what: string | null = null): Promise<Uint8Array> {
    const name = url.replace(/^.*\/([^/]+\/[^/]+)$/s, '$1');
    let response: Response;
    try {
      response = await this.#environment.fetch(url, { signal: job.signal });
    } catch {
      job.throwIfCancelled();
      throw new ReadError(`${name}: ${NO_NETWORK}`);
    }
    if (!response.ok) throw new ReadError(`${name}: found HTTP status ${response.status} at ${url}, expected the file`);
    const total = Number(response.headers.get('content-length') ?? 0);
    if (what === null || response.body === null || !(total > 0)) return new Uint8Array(await response.arrayBuffer());
    const chunks: BlobPart[] = [];
    let done = 0;
    for await (const chunk of streamChunks(response.body)) {
      chunks.push(chunk as Uint8Array<ArrayBuffer>); // bounded: one file
      done += chunk.length;
      // A file that is transferred compressed is longer than its header states.
      job.report({ what, done: Math.min(done, total), total });
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }
}

/** Splits the token ids of a text into pieces of at most `length`. */
function inPieces(ids: readonly number[], length: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(ids.length / length) }, (_, i) => ids.slice(i * length, (i + 1) * length));
}

/** Computes the norms of the inputs of each block, and passes the calibration texts through one block after the other. */
function* normsSteps({ blocks }: DecoderWeights, calibration: Calibration): Steps<readonly InputNorms[]> {
  const norms: InputNorms[] = [];
  for (const [layer, block] of blocks.entries()) {
    norms.push(yield* calibration.norms(layer, block));
    if (layer + 1 < blocks.length) yield* calibration.advance(layer, block);
  }
  return norms;
}
