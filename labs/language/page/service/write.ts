// The worker's part of the tab Text: the dense model writes a text, and the pruned model reads it and writes its
// own.

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { AnyFormat } from '../../../../src/core/format.ts';
import { finishPaced, type WorkerPace } from '../../../../src/engine/worker-pace.ts';
import { BatchModel } from '../../decoders/batch/batch-model.ts';
import { readTextSteps } from '../../decoders/batch/read-text.ts';
import type { Decoder, DecoderWeights, Past } from '../../decoders/decoder.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import type { Decoders } from './decoders.ts';
import { type DenseText, DenseWriter, lastRow } from './dense-text.ts';
import { roundedRecipe } from './request-recipes.ts'; // recipe: how a model's weights are pruned and rounded
import type { ReadToken, LikelyNext, OnWriteEvent, TokenRates, WriteRequest, WritingResult } from './types.ts';
import { bitsOf, drawToken, likeliest } from '../../decoders/sampling.ts';
import { isImported } from '../../theory/imported.ts';
import { judge } from '../../tales/judge.ts';
import { MIN_TIMED_TOKENS, rateOf, ratesInTurns, type TimeSpent } from './rates.ts';

/** Minimum time between two events, ms: nobody would notice shorter times. */
const SEND_EVERY_MS = 50;

/** Sends the collected tokens of both texts at most every `SEND_EVERY_MS`; with `all`, at once. */
class EventSender {
  dense: string[] = []; // what the dense model wrote, for events 'written'
  scored: ReadToken[] = []; // the same tokens as the pruned model read them, for events 'read'
  readonly #now: () => number;
  readonly #onEvent: OnWriteEvent;
  #at = Number.NEGATIVE_INFINITY;

  constructor(now: () => number, onEvent: OnWriteEvent) {
    this.#now = now;
    this.#onEvent = onEvent;
  }

  async send(all = false): Promise<void> {
    if (!all && this.#now() - this.#at < SEND_EVERY_MS) return;
    this.#at = this.#now();
    const { dense, scored } = this;
    this.dense = [];
    this.scored = [];
    if (dense.length > 0) await this.#onEvent({ kind: 'written', tokens: dense });
    if (scored.length > 0) await this.#onEvent({ kind: 'read', tokens: scored });
  }
}

/** Number of likely tokens that are sent for each token of the text. */
const LIKELY = 4;

/** Maximum tokens of an existing dense text that the pruned model reads in one pass. */
const TOKENS_PER_PASS = 16;

/** Shown for the token that ends a text (eos). */
const THE_END = '(the end)';

/** The parts of `TwoTexts`: models, settings, and the text so far. */
interface TwoTextsParts {
  readonly job: ServiceJob;
  readonly request: WriteRequest;
  readonly model: LoadedModel;
  /** ids of the beginning token (bos) and of the prompt */
  readonly begin: readonly number[];
  readonly dense: Decoder;
  readonly pruned: () => Promise<Decoder>;
  /** whether the dense model writes its whole text before the pruned model begins to read */
  readonly isAhead: boolean;
  readonly text: DenseText;
  /** the pruned model's logits at every token of the text, if already known */
  readonly read: readonly Float32Array[] | null;
  readonly now: () => number;
  readonly onEvent: OnWriteEvent;
}

/** Writes a dense text, lets the pruned model read it, and writes the pruned model's text. */
class TwoTexts {
  readonly #parts: TwoTextsParts;
  readonly #sender: EventSender;
  readonly #count: number;
  readonly #dense: DenseWriter;
  /** by the pruned model, for its speed */
  #spent: TimeSpent = { ms: 0, tokens: 0 };
  #sentDense = 0;
  #denseBits = 0;
  #prunedBits = 0;
  /** index of the first dense token that the pruned model would replace, and the replacement; null: none yet */
  #fork: { readonly at: number; readonly id: number } | null = null;

  constructor(parts: TwoTextsParts) {
    this.#parts = parts;
    this.#sender = new EventSender(parts.now, parts.onEvent);
    this.#count = Math.min(parts.request.count, parts.model.config.context - parts.begin.length);
    this.#dense = new DenseWriter({ ...parts, decoder: parts.dense, count: this.#count });
  }

  async write(): Promise<Omit<WritingResult, 'where' | 'notOnGpu' | 'multiplied'>> {
    const { model, begin, text, isAhead, request, onEvent } = this.#parts;
    const prompted = model.config.bos === null ? begin : begin.slice(1);
    await onEvent({ kind: 'begin', prompt: prompted.map((id) => this.#piece(id)) });
    if (isAhead) {
      await this.#dense.writeAll(() => {
        this.#sendDense();
        return this.#sender.send();
      });
    } else if (text.logits.length < text.ids.length) {
      // Not all logits of the text are known, as after a lost GPU: the text is written again.
      text.ids.length = 0;
      text.logits.length = 0;
      text.ended = false;
    }
    await this.#read();
    const written = text.ended ? text.ids.length - 1 : text.ids.length;
    const free = await this.#writeFree(written);
    const rates = await (isAhead ? this.#ratesInTurns() : this.#ratesOfText());
    const denseTokens = text.ids.slice(0, written).map((id) => this.#piece(id));
    const denseText = denseTokens.join('');
    const freeText = [...denseTokens.slice(0, this.#fork?.at ?? written), ...free.tokens].join('');
    return {
      ended: text.ended,
      freeEnded: free.ended,
      // Only tales can be checked; an imported model writes other texts.
      verdicts: isImported(model.id)
        ? null
        : {
            dense: judge(request.prompt + denseText, { unfinished: !text.ended }),
            free: judge(request.prompt + freeText, { unfinished: !free.ended }),
          },
      bytes: bytesAfter(model, prompted, text.ids.slice(0, written)),
      denseBits: this.#denseBits,
      prunedBits: this.#prunedBits,
      rates,
    };
  }

  #piece(id: number): string {
    return this.#parts.model.tokenizer.piece(id);
  }

  async #timed<T>(tokens: number, work: () => Promise<T>): Promise<T> {
    const { now } = this.#parts;
    const from = now();
    const result = await work();
    this.#spent.ms += now() - from;
    this.#spent.tokens += tokens;
    return result;
  }

  #sendDense(): void {
    const { text } = this.#parts;
    const end = text.ended ? text.ids.length - 1 : text.ids.length;
    for (; this.#sentDense < end; this.#sentDense++) this.#sender.dense.push(this.#piece(text.ids[this.#sentDense]));
  }

  /** The pruned model reads the dense text: existing tokens up to 16 in a pass, new ones with a delay of one token. */
  async #read(): Promise<void> {
    const { text, begin, model, job, read: known } = this.#parts;
    const { vocabulary } = model.config;
    if (known) {
      this.#sendDense();
      for (let i = 0; i < text.ids.length; i++) this.#score(i, known[i]);
      return this.#sender.send(true);
    }
    const pruned = await this.#parts.pruned();
    let prunedLogits = lastRow(await pruned.feed(begin), model);
    let read = 0;
    while (read < text.ids.length || !this.#dense.isWhole) {
      if (read === text.ids.length) await this.#dense.writeNext();
      this.#sendDense();
      const ids = text.ids.slice(read, read + TOKENS_PER_PASS);
      this.#score(read, prunedLogits);
      // The end is not read, since nothing follows.
      const fed = text.ended && read + ids.length === text.ids.length ? ids.slice(0, -1) : ids;
      const logits = fed.length > 0 ? await this.#timed(fed.length, () => pruned.feed(fed)) : new Float32Array(0);
      for (let k = 1; k < ids.length; k++) this.#score(read + k, logits.slice((k - 1) * vocabulary, k * vocabulary));
      if (fed.length > 0) prunedLogits = lastRow(logits, model);
      read += ids.length;
      await this.#sender.send();
      job.throwIfCancelled();
    }
    await this.#sender.send(true);
  }

  /** Scores token `i` of the dense text by the pruned model's logits there. */
  #score(i: number, prunedLogits: Float32Array): void {
    const { text, begin, request, model } = this.#parts;
    const { eos } = model.config;
    const piece = (id: number): string => (eos.includes(id) ? THE_END : this.#piece(id));
    const token = text.ids[i];
    const denseLogits = text.logits[i];
    const costs = bitsOf(denseLogits, token);
    const prunedCosts = bitsOf(prunedLogits, token);
    this.#denseBits += costs;
    this.#prunedBits += prunedCosts;
    const prunedToken = drawToken(prunedLogits, begin.length + i, request);
    if (prunedToken !== token) this.#fork ??= { at: i, id: prunedToken };
    if (eos.includes(token)) return;
    this.#sender.scored.push({
      text: this.#piece(token),
      lost: prunedCosts - costs,
      prunedToken: prunedToken === token ? null : piece(prunedToken),
      likely: likelyOf(denseLogits, prunedLogits, piece),
    });
  }

  /** The speeds on this thread, from the tokens that were written one by one. */
  async #ratesOfText(): Promise<TokenRates> {
    const { text } = this.#parts;
    if (this.#spent.tokens === 0) await this.#timePruned();
    text.rate = rateOf(this.#dense.spent) ?? text.rate;
    return { dense: text.rate, pruned: rateOf(this.#spent) };
  }

  /** Both speeds, with the two models writing alternately. */
  async #ratesInTurns(): Promise<TokenRates> {
    const { dense, begin, request, job, now } = this.#parts;
    const decoders = [dense, await this.#parts.pruned()];
    const [denseRate, prunedRate] = await ratesInTurns(decoders, { begin, sampling: request, job, now });
    return { dense: denseRate, pruned: prunedRate };
  }

  /** Times the pruned model on the last tokens, one by one, of a text that was read in one pass. */
  async #timePruned(): Promise<void> {
    const { text, begin } = this.#parts;
    const pruned = await this.#parts.pruned();
    const before = [...begin, ...text.ids.slice(0, -MIN_TIMED_TOKENS)];
    pruned.rewind(Math.min(pruned.length, before.length));
    if (pruned.length < before.length) await pruned.feed(before.slice(pruned.length));
    for (const id of text.ids.slice(-MIN_TIMED_TOKENS, -1)) await this.#timed(1, () => pruned.feed([id]));
  }

  /** The pruned model's own text, from the first token at which it departs from the dense text. */
  async #writeFree(written: number): Promise<{ readonly tokens: readonly string[]; readonly ended: boolean }> {
    const { text, begin, request, model, job, now, onEvent } = this.#parts;
    const { eos } = model.config;
    const fork = this.#fork;
    await onEvent({ kind: 'free', fork: fork?.at ?? written, tokens: [] });
    if (fork === null) return { tokens: [], ended: text.ended };
    if (eos.includes(fork.id)) return { tokens: [], ended: true };
    const tokens = [this.#piece(fork.id)];
    let sent = 0;
    let sentAt = now();
    const send = async (): Promise<void> => {
      if (sent < tokens.length) await onEvent({ kind: 'free', fork: fork.at, tokens: tokens.slice(sent) });
      sent = tokens.length;
      sentAt = now();
    };
    const pruned = await this.#parts.pruned();
    const before = [...begin, ...text.ids.slice(0, fork.at)];
    pruned.rewind(Math.min(pruned.length, before.length));
    if (pruned.length < before.length) await pruned.feed(before.slice(pruned.length));
    const from = now();
    let ended = false;
    // The token at the fork was drawn before.
    let timed = 0;
    for await (const id of pruned.write(fork.id, this.#count - fork.at - 1, request)) {
      job.throwIfCancelled();
      timed++;
      if (eos.includes(id)) {
        ended = true;
        break;
      }
      tokens.push(this.#piece(id));
      if (now() - sentAt > SEND_EVERY_MS) await send();
    }
    // A long enough text measures speed better than reading, which processes many tokens at once.
    if (timed >= MIN_TIMED_TOKENS) this.#spent = { ms: now() - from, tokens: timed };
    await send();
    return { tokens, ended };
  }
}

/** UTF-8 bytes that `ids` add to the text of `before`, whose last letters may need both. */
function bytesAfter({ tokenizer }: LoadedModel, before: readonly number[], ids: readonly number[]): number {
  const bytesOf = (all: readonly number[]): number => new TextEncoder().encode(tokenizer.decode(all)).length;
  return bytesOf([...before, ...ids]) - bytesOf(before);
}

/** The most likely tokens under both models, by the larger of their probabilities. */
function likelyOf(dense: Float32Array, pruned: Float32Array, piece: (id: number) => string): readonly LikelyNext[] {
  const ids = new Set([...likeliest(dense, LIKELY), ...likeliest(pruned, LIKELY)].map(({ id }) => id));
  return [...ids]
    .map((id) => ({
      text: piece(id),
      dense: 2 ** -bitsOf(dense, id),
      pruned: 2 ** -bitsOf(pruned, id),
    }))
    .toSorted((a, b) => Math.max(b.dense, b.pruned) - Math.max(a.dense, a.pruned))
    .slice(0, LIKELY);
}

/** The functions of the worker that writing needs. */
export interface WriterHost extends WorkerPace {
  readonly format: (id: string) => AnyFormat;
}

/** Writes the two texts of a request, one request at a time. The last dense text is kept when the pruning changes. */
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
    const dense = await this.#decoders.open(model, model.weights, null, job);
    try {
      const { count } = request;
      const text = this.#dense;
      const isWhole = text.ended || text.ids.length >= Math.min(count, model.config.context - begin.length);
      // If the dense text exists and there is no device, this thread reads it in one pass.
      const isReadInOnePass = dense.where === 'cpu' && isWhole && text.logits.length >= text.ids.length;
      const read = isReadInOnePass ? await readWhole(model, weights, begin, text, job, this.#host) : null;
      let placed: Awaited<ReturnType<Decoders['open']>> | null = null;
      const open = async () => (placed ??= await this.#decoders.open(model, weights, storage, job, read?.past));
      try {
        const texts = new TwoTexts({
          job,
          request,
          model,
          begin,
          dense: dense.decoder,
          pruned: async () => (await open()).decoder,
          // A GPU gets many tokens at once, since a round trip needs as long as several tokens.
          isAhead: dense.where === 'gpu' && (await open()).where === 'gpu',
          text,
          read: read?.logits ?? null,
          now: () => this.#host.now(),
          onEvent,
        });
        const written = await texts.write();
        const { where, notOnGpu, formatUse } = await open();
        return { ...written, where, notOnGpu: notOnGpu ?? dense.notOnGpu, multiplied: formatUse };
      } finally {
        (placed as Awaited<ReturnType<Decoders['open']>> | null)?.decoder.destroy();
      }
    } finally {
      dense.decoder.destroy();
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
): Promise<{ readonly logits: readonly Float32Array[]; readonly past?: Past }> {
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
