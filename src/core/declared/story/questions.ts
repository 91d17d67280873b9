import type { EncodedMatrix } from '../../encoded/encoded.ts';
import type { ByteClass, StorageLedger } from '../../encoded/ledger.ts';
import { bytesQuestion } from '../../story/bytes-question.ts';
import type { Question } from '../../story/question.ts';
import type { StepName } from '../../story/step-kind.ts';
import { listText } from '../../story/words.ts';
import type { DeclaredStep, DeclaredTrace } from './trace.ts';

/** The name of a step, by which frames are chosen. */
export function nameOfStep({ stores }: Pick<DeclaredTrace, 'stores'>, step: DeclaredStep): StepName {
  switch (step.kind) {
    case 'told':
    case 'stored': {
      const isPadding = step.to > step.from && stores.isPadding[step.to - 1] === 1;
      if (isPadding) return { name: 'padding', event: 'padding' };
      return { name: step.cell === null ? 'bookkeeping' : 'non-zero' };
    }
    case 'encoded':
      return { name: 'all bytes' };
    case 'product':
      return { name: 'decode puts a cell' };
    case 'multiplied':
      return { name: 'y is complete' };
  }
}

/** What can be asked about any format: its arrays say what their elements take. `nameOf`: an array as a person reads it. */
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
    stores: storedFirst,
    span(t) {
      const shows = 1 + t.steps.findIndex(({ detail }) => detail.kind === 'encoded');
      return { before: shows - 1, shows };
    },
    forgotten: ['indices', 'metadata'],
  });
  return [bytes] as readonly Question[];
}

/** The step in which something of this class is first stored. */
function storedFirst({ steps, stores, run: { encoding } }: DeclaredTrace, of: ByteClass): number {
  const isOf = (at: number): boolean =>
    of === 'padding' ? stores.isPadding[at] === 1 : encoding.arrays[stores.array[at]].array.byteClass === of;
  const first = steps.findIndex(({ detail }) => {
    if (detail.kind !== 'told' && detail.kind !== 'stored') return detail.kind === 'encoded';
    for (let at = detail.from; at < detail.to; at++) if (isOf(at)) return true;
    return false;
  });
  return first + 1;
}
