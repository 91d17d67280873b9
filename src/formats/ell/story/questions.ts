import { bytesQuestion } from '../../../story/declared/questions.ts';
import { type DeclaredTrace, stepStoringPadding, stepStoring } from '../../../story/declared/trace.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Question, TraceCase } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { minus, of, times } from '../../../story/computed.ts';
import { encoding } from '../encoding.ts';
import type { EllEncoded } from '../layout.ts';

type EllTrace = DeclaredTrace<EllEncoded>;

const emptySlots = ({ encoded: { width, rows, nnz } }: EllTrace): number => width * rows - nnz;
/** The step after which the length of every row is known. */
const stepCounted = (t: EllTrace): number => stepStoring(t, 'counts', t.window.rows - 1) + 1;

/** How many slots stay empty. */
const paddingSlots: Question<EllTrace, TraceCase<EllTrace>> = {
  id: 'empty-slots',
  unit: 'slots',
  findCase: (trace) => (trace.window.nnz > 0 && emptySlots(trace) > 0 ? { trace } : null),
  needs: () => 'two rows have different numbers of weights',
  ask: ({ trace: { encoded } }) =>
    say`The rows of this matrix have ${listText([...encoded.counts].map(String))} weights. How many slots of ELL stay ${strong('empty')}?`,
  answer: ({ trace }) => emptySlots(trace),
  reason: ({ trace: { encoded } }) =>
    say`The longest row has ${encoded.width}, so each of ${encoded.rows} rows gets ${strong(counted(encoded.width, 'slot'))}: ${encoded.width * encoded.rows} in all, for ${encoded.nnz} weights.`,
  steps: ({ trace }) => ({ before: 0, shows: stepCounted(trace) }),
  misconceptions: [
    {
      id: 'mean-width',
      title: 'a row gets as many slots as the mean row',
      answer: ({ trace: { encoded } }) => {
        const mean = of(Math.ceil(encoded.nnz / encoded.rows), 'slots');
        return minus(times(encoded.rows, mean), of(encoded.nnz, 'weights'));
      },
      reply: ({ trace: { encoded } }) =>
        say`Then the longest row would not have enough slots for its ${strong(counted(encoded.width, 'weight'))}.`,
    },
    {
      id: 'every-column',
      title: 'every column has a slot',
      answer: ({ trace: { encoded } }) =>
        minus(times(encoded.rows, of(encoded.cols, 'columns')), of(encoded.nnz, 'weights')),
      reply: ({ trace: { encoded } }) =>
        say`That would be dense. ELL has ${strong(counted(encoded.width, 'slot'))} in a row.`,
    },
    {
      id: 'shortest-row-alone',
      title: 'only the shortest row has empty slots',
      answer: ({ trace: { encoded } }) => {
        const shortest = encoded.counts.reduce((min, n) => Math.min(min, n));
        return minus(of(encoded.width, 'slots'), of(shortest, 'weights'));
      },
      reply: () =>
        say`That is what the shortest row leaves empty. ${strong('Every row')} shorter than the longest leaves some.`,
      falseAt: ({ trace }) => stepStoringPadding(trace),
    },
  ],
};

/** The size in bytes of the window (a part of a matrix) in ELL. */
const bytes = bytesQuestion<EllTrace>({
  title: 'ELL',
  ledger: ({ encoded }) => encoding.storage(encoded),
  hint: ({ encoded }) =>
    `The longest row has ${encoded.width}. A value takes ${VALUE_BITS[encoded.valueType] / 8} bytes, a column number ${encoded.indexBits / 8}, and the count of a row 4.`,
  forgottenClasses: ['padding', 'metadata', 'indices'],
});

/** The questions about ELL for lessons. */
export const questions: readonly Question[] = [paddingSlots, bytes] as readonly Question[];
