// The two texts of a request: the dense model writes one, the pruned model reads it and writes another.

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { Decoder } from '../../decoders/decoder.ts';
import { bitsOf, drawToken, likeliest } from '../../decoders/sampling.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import { judge } from '../../tales/judge.ts';
import { isImported } from '../../theory/imported.ts';
import { type DenseText, DenseWriter, lastRow } from './dense-text.ts';
import { MIN_TIMED_TOKENS, rateOf, ratesInTurns, type TimeSpent } from './rates.ts';
import type { LikelyNext, OnWriteEvent, ReadToken, TokenRates, WriteRequest, WritingResult } from './types.ts';

/** Minimum time between two events, ms: nobody would notice shorter times. */
const SEND_EVERY_MS = 50;

/** Sends the collected tokens of both texts at most every `SEND_EVERY_MS`; with `all`, at once. */
class EventSender {
  dense: string[] = []; // what the dense model wrote, for events 'written'
  scored: ReadToken[] = []; // the same tokens as the pruned model read them, for events 'read'
  readonly #now: () => number;
  readonly #onEvent: OnWriteEvent;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number, onEvent: OnWriteEvent) {
    this.#now = now;
    this.#onEvent = onEvent;
  }

  async send(all = false): Promise<void> {
    if (!all && this.#now() - this.#sentAt < SEND_EVERY_MS) return;
    this.#sentAt = this.#now();
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

/** The text shown for the token that ends a text (eos). */
const END_TEXT = '(the end)';

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
  readonly writesDenseFirst: boolean;
  readonly text: DenseText;
  /** the pruned model's logits at every token of the text, if this thread has read it in one pass; else null */
  readonly prunedLogits: readonly Float32Array[] | null;
  readonly now: () => number;
  readonly onEvent: OnWriteEvent;
}

/** Writes a dense text, lets the pruned model read it, and writes the pruned model's text. */
export class TwoTexts {
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
  #firstDifference: { readonly at: number; readonly id: number } | null = null;

  constructor(parts: TwoTextsParts) {
    this.#parts = parts;
    this.#sender = new EventSender(parts.now, parts.onEvent);
    this.#count = Math.min(parts.request.count, parts.model.config.context - parts.begin.length);
    this.#dense = new DenseWriter({ ...parts, decoder: parts.dense, count: this.#count });
  }

  async write(): Promise<Omit<WritingResult, 'where' | 'notOnGpu' | 'multiplied'>> {
    const { model, begin, text, writesDenseFirst, request, onEvent } = this.#parts;
    const prompted = model.config.bos === null ? begin : begin.slice(1);
    await onEvent({ kind: 'begin', prompt: prompted.map((id) => this.#piece(id)) });
    if (writesDenseFirst) {
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
    const rates = await (writesDenseFirst ? this.#ratesInTurns() : this.#ratesOfText());
    const denseTokens = text.ids.slice(0, written).map((id) => this.#piece(id));
    const denseText = denseTokens.join('');
    const freeText = [...denseTokens.slice(0, this.#firstDifference?.at ?? written), ...free.tokens].join('');
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

  /** Adds the time of `work`, which feeds `tokens` tokens to the pruned model. */
  async #timed<T>(tokens: number, work: () => Promise<T>): Promise<T> {
    const { now } = this.#parts;
    const from = now();
    const result = await work();
    this.#spent.ms += now() - from;
    this.#spent.tokens += tokens;
    return result;
  }

  /** Collects the dense tokens that were not sent yet. */
  #sendDense(): void {
    const { text } = this.#parts;
    const end = text.ended ? text.ids.length - 1 : text.ids.length;
    for (; this.#sentDense < end; this.#sentDense++) this.#sender.dense.push(this.#piece(text.ids[this.#sentDense]));
  }

  /** The pruned model reads the dense text: existing tokens up to 16 in a pass, new ones with a delay of one token. */
  async #read(): Promise<void> {
    const { text, begin, model, job, prunedLogits: knownLogits } = this.#parts;
    const { vocabulary } = model.config;
    if (knownLogits) {
      this.#sendDense();
      for (let i = 0; i < text.ids.length; i++) this.#score(i, knownLogits[i]);
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
    const piece = (id: number): string => (eos.includes(id) ? END_TEXT : this.#piece(id));
    const token = text.ids[i];
    const denseLogits = text.logits[i];
    const denseBits = bitsOf(denseLogits, token);
    const prunedBits = bitsOf(prunedLogits, token);
    this.#denseBits += denseBits;
    this.#prunedBits += prunedBits;
    const prunedToken = drawToken(prunedLogits, begin.length + i, request);
    if (prunedToken !== token) this.#firstDifference ??= { at: i, id: prunedToken };
    if (eos.includes(token)) return;
    this.#sender.scored.push({
      text: this.#piece(token),
      lost: prunedBits - denseBits,
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
    const firstDifference = this.#firstDifference;
    await onEvent({ kind: 'free', firstDifference: firstDifference?.at ?? written, tokens: [] });
    if (firstDifference === null) return { tokens: [], ended: text.ended };
    if (eos.includes(firstDifference.id)) return { tokens: [], ended: true };
    const tokens = [this.#piece(firstDifference.id)];
    let sent = 0;
    let sentAt = now();
    const send = async (): Promise<void> => {
      if (sent < tokens.length)
        await onEvent({ kind: 'free', firstDifference: firstDifference.at, tokens: tokens.slice(sent) });
      sent = tokens.length;
      sentAt = now();
    };
    const pruned = await this.#parts.pruned();
    const before = [...begin, ...text.ids.slice(0, firstDifference.at)];
    pruned.rewind(Math.min(pruned.length, before.length));
    if (pruned.length < before.length) await pruned.feed(before.slice(pruned.length));
    const from = now();
    let ended = false;
    // Without the token at the first difference, which was drawn before.
    let drawnCount = 0;
    for await (const id of pruned.write(firstDifference.id, this.#count - firstDifference.at - 1, request)) {
      job.throwIfCancelled();
      drawnCount++;
      if (eos.includes(id)) {
        ended = true;
        break;
      }
      tokens.push(this.#piece(id));
      if (now() - sentAt > SEND_EVERY_MS) await send();
    }
    // A long enough text measures speed better than reading, which processes many tokens at once.
    if (drawnCount >= MIN_TIMED_TOKENS) this.#spent = { ms: now() - from, tokens: drawnCount };
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
