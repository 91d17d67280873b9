// Reads a whole text with a decoder on the CPU, all tokens in one pass.

import type { Steps } from '../../../../src/core/job.ts';
import { emptyKvCache, type KvCache } from '../decoder.ts';
import type { Columns, BatchModel } from './batch-model.ts';

/** The result of reading a text in one pass. */
interface ReadText {
  /** after every token from `from` on */
  readonly logits: readonly Float32Array[];
  /** keys and values of all tokens of the text */
  readonly past: KvCache;
}

/** Reads a text of one to `batch.width` tokens; returns its logits from token `from` on. Yields after every block. */
export function* readTextSteps(batch: BatchModel, ids: readonly number[], from: number): Steps<ReadText> {
  const { config } = batch;
  const past = emptyKvCache(config, ids.length);
  batch.embed(ids);
  for (const [layer, { keys, values }] of past.layers.entries()) {
    batch.throughBlock(layer, ids.length);
    const read = batch.keysAndValues(ids.length);
    copyColumns(read.keys, keys);
    copyColumns(read.values, values);
    yield { what: 'Reading', done: layer + 1, total: config.layers };
  }
  const logits: Float32Array[] = [];
  batch.logits(ids.length, ({ memory, offset, rows, width, tokens }, first) => {
    for (let t = Math.max(0, from - first); t < tokens; t++) {
      const row = new Float32Array(rows);
      for (let i = 0; i < rows; i++) row[i] = memory[offset + i * width + t];
      logits.push(row); // bounded: one for each token
    }
  });
  return { logits, past };
}

/** Copies the columns one after the other; each column is a token. */
function copyColumns({ memory, offset, rows, width, tokens }: Columns, to: Float32Array): void {
  for (let r = 0; r < rows; r++) {
    for (let t = 0, from = offset + r * width; t < tokens; t++) to[t * rows + r] = memory[from + t];
  }
}
