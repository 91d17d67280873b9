import type { ServiceJob } from '../../../engine/bridge/job.ts';
import type { AnyFormat } from '../../../core/format.ts';
import { finishPaced, type WorkerPace } from '../../../engine/pace.ts';
import { Passes } from '../../../language/batch/passes.ts';
import { readTextSteps } from '../../../language/batch/read-text.ts';
import type { DecoderWeights, Past } from '../../../language/decoder.ts';
import type { LoadedModel } from '../../../engine/models/loaded-model.ts';
import type { LoadedModels } from '../../../engine/models/loaded-models.ts';
import type { Decoders } from './decoder-of.ts';
import type { DenseText } from './dense-text.ts';
import { writtenRecipe } from './recipe-of.ts';
import { TwoTexts } from './two-texts.ts';
import type { OnWriteEvent, WriteRequest, Written } from './types.ts';

/** What writing needs of the engine. */
export interface WriterHost extends WorkerPace {
  readonly format: (id: string) => AnyFormat;
}

/** The last dense text is kept: another pruning reads it without writing it again. */
export class Writer {
  readonly #models: LoadedModels;
  readonly #decoders: Pick<Decoders, 'of'>;
  readonly #host: WriterHost;
  #dense: DenseText | null = null;
  #running: ServiceJob | null = null;
  /** resolves once no text is written any more */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(models: LoadedModels, decoders: Pick<Decoders, 'of'>, host: WriterHost) {
    this.#models = models;
    this.#decoders = decoders;
    this.#host = host;
  }

  /** See the service. Throws ReadError, RangeError for a prompt that is too long, and CancelledError. */
  async write(job: ServiceJob, request: WriteRequest, onEvent: OnWriteEvent): Promise<Written> {
    this.#running?.cancel();
    this.#running = job;
    // Both would use the same decoders.
    const ended = this.#ended.then(() => this.#write(job, request, onEvent));
    this.#ended = ended.catch(() => {});
    return ended;
  }

  /** Ends what is being written; resolves when it has ended. */
  async leave(): Promise<void> {
    this.#running?.cancel();
    await this.#ended;
  }

  async #write(job: ServiceJob, request: WriteRequest, onEvent: OnWriteEvent): Promise<Written> {
    job.throwIfCancelled();
    const model = await this.#models.of(request.model, job);
    const begin = beginOf(model, request.prompt);
    const weights = await this.#models.stored(model, writtenRecipe(request), job);
    const storedAs = {
      format: this.#host.format(request.format),
      params: request.params,
      own: request.own?.map((one) => ({ ...one, format: this.#host.format(one.format) })),
    };
    const { seed, temperature } = request;
    const key = JSON.stringify([model.id, begin, seed, temperature]);
    if (this.#dense?.key !== key) this.#dense = { key, ids: [], logits: [], ended: false, rate: null };
    const dense = await this.#decoders.of(model, model.weights, null, job);
    try {
      const { count } = request;
      const text = this.#dense;
      const isWhole = text.ended || text.ids.length >= Math.min(count, model.config.context - begin.length);
      // Where the dense text is there and no device is, this thread reads it in one go.
      const isReadAtOnce = dense.where === 'cpu' && isWhole && text.logits.length >= text.ids.length;
      const read = isReadAtOnce ? await readWhole(model, weights, begin, text, job, this.#host) : null;
      let placed: Awaited<ReturnType<Decoders['of']>> | null = null;
      const open = async () => (placed ??= await this.#decoders.of(model, weights, storedAs, job, read?.past));
      try {
        const both = new TwoTexts({
          job,
          request,
          model,
          begin,
          dense: dense.decoder,
          pruned: async () => (await open()).decoder,
          // A device is asked for many tokens at once: each answer takes as long as several tokens.
          isAhead: dense.where === 'gpu' && (await open()).where === 'gpu',
          text,
          read: read?.logits ?? null,
          now: () => this.#host.now(),
          onEvent,
        });
        const written = await both.write();
        const { where, notOnGpu, multiplied } = await open();
        return { ...written, where, notOnGpu: notOnGpu ?? dense.notOnGpu, multiplied };
      } finally {
        (placed as Awaited<ReturnType<Decoders['of']>> | null)?.decoder.destroy();
      }
    } finally {
      dense.decoder.destroy();
      if (this.#running === job) this.#running = null;
    }
  }
}

/** What the pruned model expects at every token of a whole text, and what it then remembers. */
async function readWhole(
  { config, weights: own }: LoadedModel,
  weights: DecoderWeights,
  begin: readonly number[],
  text: DenseText,
  job: ServiceJob,
  pace: WorkerPace,
): Promise<{ readonly logits: readonly Float32Array[]; readonly past?: Past }> {
  // Nothing is pruned: it is the model that wrote the text.
  if (weights === own) return { logits: text.logits };
  const ids = [...begin, ...text.ids.slice(0, -1)];
  const passes = new Passes(config, ids.length);
  passes.setWeights(weights);
  return finishPaced(readTextSteps(passes, ids, begin.length - 1), job, pace);
}

/** The mark of the beginning and the prompt, in tokens. Throws RangeError without any, and for more than the context. */
function beginOf({ config, tokens }: LoadedModel, prompt: string): readonly number[] {
  const begin = [...(config.bos === null ? [] : [config.bos]), ...tokens.encode(prompt)];
  if (begin.length > 0 && begin.length < config.context) return begin;
  const expected =
    begin.length === 0
      ? 'a word, since this model has no mark for the beginning'
      : `fewer than the context of ${config.context}`;
  throw new RangeError(`prompt: found ${begin.length} tokens, expected ${expected}`);
}
