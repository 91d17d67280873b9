import type { EncodedMatrix } from '../../encoded/encoded.ts';
import type { ByteClass, StorageLedger } from '../../encoded/ledger.ts';
import { bytesQuestion } from '../../story/bytes-question.ts';
import type { Question } from '../../story/question.ts';
import { listText } from '../../story/words.ts';
import type { DeclaredTrace } from './trace.ts';

/** The questions about any declared format: how many bytes the window takes. `nameOf`: an array's name as a person reads it. */
export function questionsOf<E extends EncodedMatrix>(
  title: string,
  ledger: (t: DeclaredTrace<E>) => StorageLedger,
  nameOf: (array: string) => string = (array) => array,
): readonly Question[] {
  const bytes = bytesQuestion<DeclaredTrace<E>>({
    title,
    ledger,
    hint: ({ run }) =>
      `Its elements are ${listText(run.encoding.arrays.map(({ array: { name, type } }) => `${type.name} in ${nameOf(name)}`))}.`,
    stores: stepOfClass,
    span(t) {
      const shows = 1 + t.steps.findIndex(({ detail }) => detail.kind === 'encoded');
      return { before: shows - 1, shows };
    },
    forgotten: ['indices', 'metadata'],
  });
  return [bytes] as readonly Question[];
}

/** The step in which something of this class is first stored. */
export function stepOfClass<E extends EncodedMatrix>(
  { steps, run: { encoding } }: DeclaredTrace<E>,
  byteClass: ByteClass,
): number {
  const first = steps.findIndex(({ detail }) => {
    if (detail.kind !== 'stored') return detail.kind === 'encoded';
    if (byteClass === 'padding') return detail.what === 'padding';
    return detail.elements.some(([array]) => encoding.arrays[array].array.byteClass === byteClass);
  });
  return first + 1;
}
