import type { ByteClass } from '../../../../core/encoded/ledger.ts';
import { bytesQuestion } from '../../../../core/story/bytes-question.ts';
import type { Question } from '../../../../core/story/question.ts';
import { listText } from '../../../../core/story/words.ts';
import { storage } from '../encoded.ts';
import type { OwnTrace } from './trace.ts';

/** What can be asked about any module: its arrays say what their elements take. */
export function questionsOf(title: string): readonly Question[] {
  const bytes = bytesQuestion<OwnTrace>({
    title,
    ledger: ({ encoded }) => storage(encoded),
    hint: ({ run }) =>
      `Its elements are ${listText(run.chosen.arrays.map(({ name, type }) => `${type.name} in ${name}`))}.`,
    stores: storedFirst,
    span(t) {
      const shows = 1 + t.steps.findIndex(({ detail }) => detail.kind === 'encoded');
      return { before: shows - 1, shows };
    },
    forgotten: ['indices', 'metadata'],
  });
  return [bytes];
}

/** The step in which something of this class is first stored. */
function storedFirst({ steps, stores, run: { encoding } }: OwnTrace, of: ByteClass): number {
  const isOf = (at: number): boolean =>
    of === 'padding' ? stores.isPadding[at] === 1 : encoding.arrays[stores.array[at]].array.byteClass === of;
  const first = steps.findIndex(({ detail }) => {
    if (detail.kind !== 'told' && detail.kind !== 'stored') return detail.kind === 'encoded';
    for (let at = detail.from; at < detail.to; at++) if (isOf(at)) return true;
    return false;
  });
  return first + 1;
}
