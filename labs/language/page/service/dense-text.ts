// Writes the dense model's text, with the logits of its tokens.

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import type { Decoder } from '../../decoders/decoder.ts';
import { drawToken } from '../../decoders/sampling.ts';
import type { TimeSpent } from './rates.ts';
import type { WriteRequest } from './types.ts';

/** The text of the dense model, as far as written; it does not depend on the pruning. */
export interface DenseText {
  /** a key of the model, the first tokens, seed and temperature */
  readonly key: string;
  /** the tokens after the prompt, including the one that ends the text (eos) */
  readonly ids: number[];
  /** the logits from which each of `ids` was drawn; while the text is being written also those for the next token */
  readonly logits: Float32Array[];
  ended: boolean;
  /** tokens per second at which this thread wrote the text; null: unknown */
  rate: number | null;
}

/** What a writer of dense text needs: the model, the request, a decoder, and the text. */
interface DenseWriterParts {
  readonly job: ServiceJob;
  readonly request: WriteRequest;
  readonly model: LoadedModel;
  /** ids of the beginning token (bos) and of the prompt */
  readonly begin: readonly number[];
  readonly decoder: Decoder;
  /** the text to extend */
  readonly text: DenseText;
  /** maximum number of tokens */
  readonly count: number;
  readonly now: () => number;
}

/** The logits after the last of several tokens. */
export function lastRow(logits: Float32Array, { config }: LoadedModel): Float32Array {
  return logits.slice(logits.length - config.vocabulary);
}

/** Writes the text of the dense model, all of its tokens in one call or one token per call. */
export class DenseWriter {
  /** time of the decoder steps of `writeNext`, without its first call, which also feeds the prompt */
  readonly spent: TimeSpent = { ms: 0, tokens: 0 };
  readonly #parts: DenseWriterParts;
  #isFed = false;

  constructor(parts: DenseWriterParts) {
    this.#parts = parts;
  }

  get isWhole(): boolean {
    const { text, count } = this.#parts;
    return text.ended || text.ids.length >= count;
  }

  /** Writes the rest of the text, then computes the logits of all its tokens. */
  async writeAll(onToken: () => Promise<void>): Promise<void> {
    const { text, decoder, begin, request, model, count, job } = this.#parts;
    const { eos, vocabulary } = model.config;
    if (!this.isWhole) {
      decoder.rewind(0);
      const before = [...begin, ...text.ids];
      if (before.length > 1) await decoder.feed(before.slice(0, -1));
      for await (const id of decoder.write(before[before.length - 1], count - text.ids.length, request)) {
        text.ids.push(id);
        if (eos.includes(id)) text.ended = true;
        job.throwIfCancelled();
        await onToken();
      }
    }
    if (text.logits.length < text.ids.length) {
      decoder.rewind(0);
      const logits = await decoder.feed([...begin, ...text.ids.slice(0, -1)]);
      text.logits.length = 0;
      for (let i = 0; i < text.ids.length; i++) {
        const start = (begin.length - 1 + i) * vocabulary;
        text.logits.push(logits.slice(start, start + vocabulary));
      }
    }
  }

  /**
   * Writes the next token; continues after a cancelled call. The first call feeds the prompt and the text so far, so the
   * decoder must have been rewound to 0 before it. Logits of the next token that are already in `logits` (then one longer
   * than `ids`) are used as they are.
   */
  async writeNext(): Promise<void> {
    const { text, decoder, begin, request, model, now } = this.#parts;
    if (!this.#isFed) {
      const logits = await decoder.feed([...begin, ...text.ids]);
      if (text.logits.length === text.ids.length) text.logits.push(lastRow(logits, model));
      this.#isFed = true;
    } else if (text.logits.length === text.ids.length) {
      const from = now();
      const logits = await decoder.feed(text.ids.slice(-1));
      this.spent.ms += now() - from;
      this.spent.tokens++;
      text.logits.push(lastRow(logits, model));
    }
    const next = drawToken(text.logits[text.ids.length], begin.length + text.ids.length, request);
    text.ids.push(next);
    if (model.config.eos.includes(next)) text.ended = true;
  }
}
