// Writes the text of the tab Neurons, and tells which neurons fire at each token.

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { drawToken } from '../../decoders/sampling.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import type { FiredLayer, FiredToken, FiringRequest, OnFired } from './types.ts';

/** Tokens are sent about as often as a user notices a difference. */
const SEND_EVERY_MS = 50;

/** Writes texts and reports the neurons that fire (are not 0) at every token; on the CPU, whose decoder shows them. */
export class FiringWriter {
  readonly #models: LoadedModels;
  readonly #now: () => number;
  #running: ServiceJob | null = null;

  constructor(models: LoadedModels, now: () => number) {
    this.#models = models;
    this.#now = now;
  }

  /**
   * Writes the text of a request; ends an earlier one. Throws ReadError, RangeError for too long a prompt,
   * CancelledError.
   */
  async write(job: ServiceJob, request: FiringRequest, onFired: OnFired): Promise<{ readonly ended: boolean }> {
    this.#running?.cancel();
    this.#running = job;
    const { config, weights, tokenizer } = await this.#models.load(request.model, job);
    const { seed, temperature, prompt, count } = request;
    const { layers, vocabulary, bos, eos, context } = config;
    const prompted = tokenizer.encode(prompt);
    const begin = [...(bos === null ? [] : [bos]), ...prompted];
    if (begin.length === 0 || begin.length >= context) {
      throw new RangeError(`prompt: found ${begin.length} tokens, expected 1 to ${context - 1}`);
    }
    const fired: FiredLayer[][] = [];
    const decoder = cpuDecoder(config, weights, {
      job,
      onInput(layer, input, x, position) {
        // The inputs of the down projection are the neurons.
        if (input !== 'down') return;
        fired[position] ??= Array.from({ length: layers }, () => NOTHING);
        fired[position][layer] = firedOf(x);
      },
    });
    let unsent: FiredToken[] = [];
    let sentAt = Number.NEGATIVE_INFINITY;
    const send = async (all = false): Promise<void> => {
      if (unsent.length === 0 || (!all && this.#now() - sentAt < SEND_EVERY_MS)) return;
      const batch = unsent;
      unsent = [];
      sentAt = this.#now();
      await onFired(batch);
    };
    const keep = (id: number, position: number): void => {
      unsent.push({ piece: tokenizer.piece(id), layers: fired[position] });
    };
    try {
      const logits = await decoder.feed(begin);
      let last = logits.subarray(logits.length - vocabulary);
      // The bos token is not shown.
      for (const [i, id] of prompted.entries()) keep(id, begin.length - prompted.length + i);
      for (let i = 0; i < Math.min(count, context - begin.length); i++) {
        const id = drawToken(last, begin.length + i, { temperature, seed });
        if (eos.includes(id)) {
          await send(true);
          return { ended: true };
        }
        last = await decoder.feed([id]);
        keep(id, begin.length + i);
        await send();
        job.throwIfCancelled();
      }
      await send(true);
      return { ended: false };
    } finally {
      decoder.destroy();
      if (this.#running === job) this.#running = null;
    }
  }
}

const NOTHING: FiredLayer = { neurons: new Uint16Array(0), values: new Float32Array(0) };

/** The neurons other than 0, ascending. */
function firedOf(h: Float32Array): FiredLayer {
  let count = 0;
  for (const value of h) if (value !== 0) count++;
  const neurons = new Uint16Array(count);
  const values = new Float32Array(count);
  let next = 0;
  for (let i = 0; i < h.length; i++) {
    if (h[i] === 0) continue;
    neurons[next] = i;
    values[next++] = h[i];
  }
  return { neurons, values };
}
