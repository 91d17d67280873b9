import type { ServiceJob } from '../../../engine/bridge/job.ts';
import type { LoadedModel } from '../../../engine/models/loaded-model.ts';
import type { Decoder } from '../../../language/decoder.ts';
import { bitsOf, draw, likeliest } from '../../../language/sampling.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import { judge } from '../../../tales/judge.ts';
import { type DenseText, DenseWriter } from './dense-text.ts';
import { FEW, rateOf, ratesInTurns, type Spent } from './rates.ts';
import { SEND_EVERY_MS, Sender } from './sender.ts';
import type { Likely, OnWriteEvent, Rates, WriteRequest, Written } from './types.ts';

/** Words in the panel of a token. */
const LIKELY = 4;

/** Tokens that the pruned model reads at once where the dense text is there already. */
const READ_AT_ONCE = 16;

/** What is shown for the token that ends a text. */
const THE_END = '(the end)';

/** What two texts are made from. */
interface TwoTextsParts {
  readonly job: ServiceJob;
  readonly request: WriteRequest;
  readonly model: LoadedModel;
  readonly begin: readonly number[];
  readonly dense: Decoder;
  readonly pruned: () => Promise<Decoder>;
  readonly isAhead: boolean;
  readonly text: DenseText;
  /** what the pruned model expects at every token of the text, where that is known already */
  readonly read: readonly Float32Array[] | null;
  readonly now: () => number;
  readonly onEvent: OnWriteEvent;
}

/** A dense text, how the pruned model reads it, and what that writes by itself. */
export class TwoTexts {
  readonly #parts: TwoTextsParts;
  readonly #sender: Sender;
  readonly #count: number;
  readonly #dense: DenseWriter;
  /** of the pruned model */
  #spent: Spent = { ms: 0, tokens: 0 };
  #sentDense = 0;
  #denseBits = 0;
  #prunedBits = 0;
  /** token of the dense text in whose place the pruned model would write another one, and that; null: none yet */
  #fork: { readonly at: number; readonly id: number } | null = null;

  constructor(parts: TwoTextsParts) {
    this.#parts = parts;
    this.#sender = new Sender(parts.now, parts.onEvent);
    this.#count = Math.min(parts.request.count, parts.model.config.context - parts.begin.length);
    this.#dense = new DenseWriter({ ...parts, decoder: parts.dense, count: this.#count });
  }

  async write(): Promise<Omit<Written, 'where' | 'notOnGpu' | 'multiplied'>> {
    const { model, begin, text, isAhead, request, onEvent } = this.#parts;
    const prompted = model.config.bos === null ? begin : begin.slice(1);
    await onEvent({ kind: 'begin', prompt: prompted.map((id) => this.#piece(id)) });
    if (isAhead) {
      await this.#dense.ahead(() => {
        this.#sendDense();
        return this.#sender.send();
      });
    } else if (text.logits.length < text.ids.length) {
      // A device that is gone has not said what it expected: this thread begins again.
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
      // The laws are those of tales, which other models were not trained on.
      verdicts: isBrought(model.id)
        ? null
        : {
            dense: judge(request.prompt + denseText, { unfinished: !text.ended }),
            free: judge(request.prompt + freeText, { unfinished: !free.ended }),
          },
      bytes: new TextEncoder().encode(denseText).length,
      denseBits: this.#denseBits,
      prunedBits: this.#prunedBits,
      rates,
    };
  }

  #piece(id: number): string {
    return this.#parts.model.tokens.piece(id);
  }

  async #timed<T>(tokens: number, work: () => Promise<T>): Promise<T> {
    const { now } = this.#parts;
    const from = now();
    const result = await work();
    this.#spent.ms += now() - from;
    this.#spent.tokens += tokens;
    return result;
  }

  /** The last row of logits. */
  #last(logits: Float32Array): Float32Array {
    return logits.slice(logits.length - this.#parts.model.config.vocabulary);
  }

  #sendDense(): void {
    const { text } = this.#parts;
    const upTo = text.ended ? text.ids.length - 1 : text.ids.length;
    for (; this.#sentDense < upTo; this.#sentDense++) this.#sender.dense.push(this.#piece(text.ids[this.#sentDense]));
  }

  /** The pruned model reads the dense text: what is there in one go, what is being written one token behind. */
  async #read(): Promise<void> {
    const { text, begin, model, job, read: known } = this.#parts;
    const { vocabulary } = model.config;
    if (known) {
      this.#sendDense();
      for (let i = 0; i < text.ids.length; i++) this.#score(i, known[i]);
      return this.#sender.send(true);
    }
    const pruned = await this.#parts.pruned();
    let expected = this.#last(await pruned.feed(begin));
    let read = 0;
    while (read < text.ids.length || !this.#dense.isWhole) {
      if (read === text.ids.length) await this.#dense.next();
      this.#sendDense();
      const ids = text.ids.slice(read, read + READ_AT_ONCE);
      this.#score(read, expected);
      // The end is not read: nothing follows.
      const fed = text.ended && read + ids.length === text.ids.length ? ids.slice(0, -1) : ids;
      const logits = fed.length > 0 ? await this.#timed(fed.length, () => pruned.feed(fed)) : new Float32Array(0);
      for (let k = 1; k < ids.length; k++) this.#score(read + k, logits.slice((k - 1) * vocabulary, k * vocabulary));
      if (fed.length > 0) expected = this.#last(logits);
      read += ids.length;
      await this.#sender.send();
      job.throwIfCancelled();
    }
    await this.#sender.send(true);
  }

  /** Scores token `i` of the dense text by what the pruned model expected there. */
  #score(i: number, expected: Float32Array): void {
    const { text, begin, request, model } = this.#parts;
    const { eos } = model.config;
    const piece = (id: number): string => (eos.includes(id) ? THE_END : this.#piece(id));
    const token = text.ids[i];
    const before = text.logits[i];
    const costs = bitsOf(before, token);
    const prunedCosts = bitsOf(expected, token);
    this.#denseBits += costs;
    this.#prunedBits += prunedCosts;
    const would = draw(expected, begin.length + i, request);
    if (would !== token) this.#fork ??= { at: i, id: would };
    if (eos.includes(token)) return;
    this.#sender.held.push({
      text: this.#piece(token),
      lost: prunedCosts - costs,
      would: would === token ? null : piece(would),
      likely: likelyOf(before, expected, piece),
    });
  }

  /** On this thread: of the tokens that were written one by one. */
  async #ratesOfText(): Promise<Rates> {
    const { text } = this.#parts;
    if (this.#spent.tokens === 0) await this.#timePruned();
    text.rate = rateOf(this.#dense.spent) ?? text.rate;
    return { dense: text.rate, pruned: rateOf(this.#spent) };
  }

  async #ratesInTurns(): Promise<Rates> {
    const { dense, begin, request, job, now } = this.#parts;
    return ratesInTurns(dense, await this.#parts.pruned(), { begin, sampling: request, job, now });
  }

  /** Times some tokens of a text that was read in one go. */
  async #timePruned(): Promise<void> {
    const { text, begin } = this.#parts;
    const pruned = await this.#parts.pruned();
    const before = [...begin, ...text.ids.slice(0, -FEW)];
    pruned.rewind(Math.min(pruned.length, before.length));
    if (pruned.length < before.length) await pruned.feed(before.slice(pruned.length));
    for (const id of text.ids.slice(-FEW, -1)) await this.#timed(1, () => pruned.feed([id]));
  }

  /** Lets the pruned model go on from where it would have left the dense text of so many tokens. */
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
    for await (const id of pruned.write(fork.id, this.#count - fork.at - 1, request)) {
      job.throwIfCancelled();
      if (eos.includes(id)) {
        ended = true;
        break;
      }
      tokens.push(this.#piece(id));
      if (now() - sentAt > SEND_EVERY_MS) await send();
    }
    // Longer than a moment, it is a better measure than reading, of which many tokens are done at once.
    if (tokens.length > FEW) this.#spent = { ms: now() - from, tokens: tokens.length };
    await send();
    return { tokens, ended };
  }
}

/** The likeliest words under both models, by the larger of their probabilities. */
function likelyOf(dense: Float32Array, pruned: Float32Array, piece: (id: number) => string): readonly Likely[] {
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
