// The worker's part of the tab Text: loads and opens both models for a request, whose texts two-texts.ts writes.

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { AnyFormat } from '../../../../src/core/format.ts';
import { finishPaced, type WorkerPace } from '../../../../src/engine/worker-pace.ts';
import { BatchModel } from '../../decoders/batch/batch-model.ts';
import { readTextSteps } from '../../decoders/batch/read-text.ts';
import type { DecoderWeights, KvCache } from '../../decoders/decoder.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import type { Decoders } from './decoders.ts';
import type { DenseText } from './dense-text.ts';
import { roundedRecipe } from './request-recipes.ts'; // recipe: how a model's weights are pruned and rounded
import { TwoTexts } from './two-texts.ts';
import type { OnWriteEvent, WriteRequest, WritingResult } from './types.ts';

/** The functions of the worker that writing needs. */
export interface WriterHost extends WorkerPace {
  readonly format: (id: string) => AnyFormat;
}

/** Writes the two texts of a request, one request at a time. The last dense text is cached for another pruning. */
export class TextWriter {
  readonly #models: LoadedModels;
  readonly #decoders: Pick<Decoders, 'open'>;
  readonly #host: WriterHost;
  #dense: DenseText | null = null;
  #running: ServiceJob | null = null;
  /** settles when no text is being written any more */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(models: LoadedModels, decoders: Pick<Decoders, 'open'>, host: WriterHost) {
    this.#models = models;
    this.#decoders = decoders;
    this.#host = host;
  }

  /** Writes both texts; ends an earlier request. Throws ReadError, RangeError for too long a prompt, CancelledError. */
  async write(job: ServiceJob, request: WriteRequest, onEvent: OnWriteEvent): Promise<WritingResult> {
    this.#running?.cancel();
    this.#running = job;
    // Two requests at once would use the same decoders.
    const ended = this.#ended.then(() => this.#write(job, request, onEvent));
    this.#ended = ended.catch(() => {});
    return ended;
  }

  /** Ends the current text; resolves when it has ended. */
  async leave(): Promise<void> {
    this.#running?.cancel();
    await this.#ended;
  }

  /** Forgets the last dense text and its logits. */
  forget(): void {
    this.#dense = null;
  }

  async #write(job: ServiceJob, request: WriteRequest, onEvent: OnWriteEvent): Promise<WritingResult> {
    job.throwIfCancelled();
    const model = await this.#models.load(request.model, job);
    const begin = beginOf(model, request.prompt);
    const weights = await this.#models.pruned(model, roundedRecipe(request), job);
    // `overrides`: matrices for which the user chose another pruning or format.
    const storage = {
      format: this.#host.format(request.format),
      params: request.params,
      overrides: request.overrides?.map((override) => ({ ...override, format: this.#host.format(override.format) })),
    };
    const { seed, temperature } = request;
    const key = JSON.stringify([model.id, begin, seed, temperature]);
    if (this.#dense?.key !== key) this.#dense = { key, ids: [], logits: [], ended: false, rate: null };
    const denseModel = await this.#decoders.open(model, model.weights, null, job);
    try {
      const { count } = request;
      const text = this.#dense;
      const isWhole = text.ended || text.ids.length >= Math.min(count, model.config.context - begin.length);
      // If the dense text exists and there is no device, this thread reads it in one pass.
      const isReadInOnePass = denseModel.where === 'cpu' && isWhole && text.logits.length >= text.ids.length;
      const read = isReadInOnePass ? await readWhole(model, weights, begin, text, job, this.#host) : null;
      // The pruned model is opened when it is first needed.
      let prunedModel: Awaited<ReturnType<Decoders['open']>> | null = null;
      const openPruned = async () =>
        (prunedModel ??= await this.#decoders.open(model, weights, storage, job, read?.past));
      try {
        const texts = new TwoTexts({
          job,
          request,
          model,
          begin,
          dense: denseModel.decoder,
          pruned: async () => (await openPruned()).decoder,
          // A GPU gets many tokens at once, since a round trip needs as long as several tokens.
          writesDenseFirst: denseModel.where === 'gpu' && (await openPruned()).where === 'gpu',
          text,
          prunedLogits: read?.logits ?? null,
          now: () => this.#host.now(),
          onEvent,
        });
        const written = await texts.write();
        const { where, notOnGpu, formatUse } = await openPruned();
        return { ...written, where, notOnGpu: notOnGpu ?? denseModel.notOnGpu, multiplied: formatUse };
      } finally {
        (prunedModel as Awaited<ReturnType<Decoders['open']>> | null)?.decoder.destroy();
      }
    } finally {
      denseModel.decoder.destroy();
      if (this.#running === job) this.#running = null;
    }
  }
}

/** The pruned model's logits at every token of a whole text, and its cache afterwards. */
async function readWhole(
  { config, weights: unpruned }: LoadedModel,
  weights: DecoderWeights,
  begin: readonly number[],
  text: DenseText,
  job: ServiceJob,
  pace: WorkerPace,
): Promise<{ readonly logits: readonly Float32Array[]; readonly past?: KvCache }> {
  // Nothing is pruned: this model wrote the text, with these logits.
  if (weights === unpruned) return { logits: text.logits };
  const ids = [...begin, ...text.ids.slice(0, -1)];
  const batch = new BatchModel(config, ids.length);
  batch.setWeights(weights);
  return finishPaced(readTextSteps(batch, ids, begin.length - 1), job, pace);
}

/** Ids of the beginning token (bos) and of the prompt. Throws RangeError for none, and for more than the context. */
function beginOf({ config, tokenizer }: LoadedModel, prompt: string): readonly number[] {
  const begin = [...(config.bos === null ? [] : [config.bos]), ...tokenizer.encode(prompt)];
  if (begin.length > 0 && begin.length < config.context) return begin;
  const expected =
    begin.length === 0
      ? 'a word, since this model has no mark for the beginning'
      : `fewer than the context of ${config.context}`;
  throw new RangeError(`prompt: found ${begin.length} tokens, expected ${expected}`);
}
