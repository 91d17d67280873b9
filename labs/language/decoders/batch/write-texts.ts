import type { Steps } from '../../../../src/core/job.ts';
import type { BatchModel } from './batch-model.ts';

/** Draws the token at `position` of text number `text` from its logits. */
export type DrawToken = (logits: Float32Array, position: number, text: number) => number;

/** The token ids of a written text, with the first and, unless the context was full, the token that ends the text. */
export interface WrittenIds {
  readonly text: number;
  readonly ids: readonly number[];
}

/**
 * Writes `count` texts that begin with the token `first`, `batch.texts` at a time; when a text ends, the next begins.
 * Texts end after a token of `eos` or when the context is full. `onText` receives each text when it ends. Yields after
 * every token.
 */
export function* writeTextsSteps(
  batch: BatchModel,
  first: number,
  count: number,
  draw: DrawToken,
  onText: (written: WrittenIds) => void,
): Steps<void> {
  const { layers, vocabulary, context, eos } = batch.config;
  const logits = new Float32Array(vocabulary);
  let begun = 0;
  let ended = 0;
  const begin = (slot: number) => ({ text: begun++, ids: [first], slot });
  let open = Array.from({ length: Math.min(count, batch.texts) }, (_, slot) => begin(slot));
  while (open.length > 0) {
    const positions = open.map(({ ids }) => ids.length - 1);
    const lastIds = open.map(({ ids }) => ids[ids.length - 1]);
    batch.embed(lastIds, positions);
    const slots = open.map(({ slot }) => slot);
    for (let layer = 0; layer < layers; layer++) batch.nextThroughBlock(layer, positions, slots);
    batch.logits(open.length, ({ memory, offset, rows, width, tokens }, from) => {
      for (let t = 0; t < tokens; t++) {
        const { ids, text } = open[from + t];
        for (let i = 0, index = offset + t; i < rows; i++, index += width) logits[i] = memory[index];
        ids.push(draw(logits, ids.length, text));
      }
    });
    const next: typeof open = [];
    for (const written of open) {
      if (written.ids.length < context && !eos.includes(written.ids[written.ids.length - 1])) {
        next.push(written);
        continue;
      }
      onText({ text: written.text, ids: written.ids });
      ended++;
      if (begun < count) next.push(begin(written.slot));
    }
    open = next;
    yield { what: 'Writing', done: ended, total: count };
  }
}
