import type { Steps } from '../../../../core/job.ts';
import type { BatchModel } from './batch-model.ts';

/** Draws a token from the logits after the tokens before `position`, of text number `text`. */
export type DrawToken = (logits: Float32Array, position: number, text: number) => number;

/** The ids of a written text, including the given ones and, if it ended, its end mark. */
export interface WrittenIds {
  readonly text: number;
  readonly ids: readonly number[];
}

/**
 * Writes `count` texts that begin with the token `first`, as many at a time as `batch` has room for; one that ends makes room
 * for the next. Texts end after a token of `eos` or with the context. `onText` receives each when it ends. Yields after every
 * token.
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
  const begin = (place: number) => ({ text: begun++, ids: [first], place });
  let open = Array.from({ length: Math.min(count, batch.texts) }, (_, place) => begin(place));
  while (open.length > 0) {
    const positions = open.map(({ ids }) => ids.length - 1);
    const lasts = open.map(({ ids }) => ids[ids.length - 1]);
    batch.embed(lasts, positions);
    const places = open.map(({ place }) => place);
    for (let layer = 0; layer < layers; layer++) batch.nextThroughBlock(layer, positions, places);
    batch.logits(open.length, ({ memory, at, rows, width, tokens }, from) => {
      for (let t = 0; t < tokens; t++) {
        const { ids, text } = open[from + t];
        for (let i = 0, place = at + t; i < rows; i++, place += width) logits[i] = memory[place];
        ids.push(draw(logits, ids.length, text));
      }
    });
    const next: typeof open = [];
    for (const one of open) {
      if (one.ids.length < context && !eos.includes(one.ids[one.ids.length - 1])) {
        next.push(one);
        continue;
      }
      onText({ text: one.text, ids: one.ids });
      ended++;
      if (begun < count) next.push(begin(one.place));
    }
    open = next;
    yield { what: 'Writing', done: ended, total: count };
  }
}
