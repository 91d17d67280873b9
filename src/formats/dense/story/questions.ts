import { bytesQuestion, stepOfClass } from '../../../story/declared/questions.ts';
import { type DeclaredTrace, stepEncoded } from '../../../story/declared/trace.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Question, TraceCase } from '../../../story/question.ts';
import { countText, say, strong } from '../../../core/text/words.ts';
import { of, plus, times } from '../../../story/computed.ts';
import type { DenseEncoded } from '../layout.ts';
import { storage } from '../storage.ts';

/** Steps of encoding and multiplying `window`, the small matrix of a story, with the encoded arrays. */
type DenseTrace = DeclaredTrace<DenseEncoded>;

const valueBytes = ({ encoded }: DenseTrace): number => VALUE_BITS[encoded.valueType] / 8;
const cellsOf = ({ window: { rows, cols } }: DenseTrace): number => rows * cols;
const firstStoreStep = (t: DenseTrace): number => stepOfClass(t, 'values');

/** The size of the encoded matrix in bytes. */
const bytes = bytesQuestion<DenseTrace>({
  title: 'the dense format',
  ledger: ({ encoded }) => storage(encoded),
  hint: (t) =>
    `A value takes ${valueBytes(t)} bytes.${t.encoded.stride === t.window.cols ? '' : ` Each row is filled up with zeros to ${t.encoded.stride} values, so that it begins at a multiple of 16 bytes.`}`,
  forgottenClasses: ['padding'],
  misconceptions: [
    {
      id: 'zeros-are-free',
      title: 'zeros take no space',
      answer: ({ trace }) => times(of(trace.window.nnz, 'weights'), of(valueBytes(trace), 'bytes')),
      reply: () => say`That counts the weights alone. Dense stores ${strong('every cell')}, zeros too.`,
      falseAt: ({ trace }) => firstStoreStep(trace),
    },
    {
      id: 'a-byte-for-a-cell',
      title: 'a cell is a byte',
      answer: ({ trace: { window } }) => times(window.rows, of(window.cols, 'cells'), of(1, 'bytes')),
      reply: ({ trace }) =>
        say`That counts cells. A number in ${trace.encoded.valueType} takes ${strong(`${valueBytes(trace)} bytes`)}.`,
      falseAt: ({ trace }) => firstStoreStep(trace),
    },
    {
      id: 'columns-stored',
      title: 'the column of each cell is stored, too',
      answer: ({ trace }) =>
        times(trace.window.rows, of(trace.window.cols, 'cells'), plus(valueBytes(trace), of(4, 'bytes'))),
      reply: () =>
        say`No column is stored: every cell is there, so ${strong('its position in memory')} determines its row and column.`,
      falseAt: ({ trace }) => firstStoreStep(trace),
    },
  ],
});

const lastStep = ({ steps }: DenseTrace): number => steps.length;
const firstProductStep = (t: DenseTrace): number => stepEncoded(t) + 1;

/** The number of multiplications of y = A x. */
const multiplications: Question<DenseTrace, TraceCase<DenseTrace>> = {
  id: 'multiplications',
  findCase: (trace) => (trace.window.nnz === 0 ? null : { trace }),
  needs: () => 'some cell is not zero',
  ask: ({ trace: { window } }) =>
    say`This matrix has ${window.rows} rows, ${window.cols} columns and ${window.nnz} weights. It is stored dense. How many multiplications does ${strong('y = A x')} take?`,
  answer: ({ trace }) => cellsOf(trace),
  reason: ({ trace }) =>
    say`Every cell is multiplied, zeros as well: ${trace.window.rows} × ${trace.window.cols} = ${strong(countText(cellsOf(trace)))}. Every weight is used ${strong('once')}.`,
  steps: ({ trace }) => ({ before: firstProductStep(trace) - 1, shows: lastStep(trace) }),
  misconceptions: [
    {
      id: 'zeros-skipped',
      title: 'zeros are skipped',
      answer: ({ trace }) => of(trace.window.nnz, 'weights'),
      reply: () => say`To skip a zero, the kernel would have to ${strong('read')} it first. So dense multiplies it.`,
      falseAt: ({ trace }) => firstProductStep(trace),
    },
    {
      id: 'one-for-each-row',
      title: 'a row is one multiplication',
      answer: ({ trace }) => of(trace.window.rows, 'rows'),
      reply: ({ trace }) =>
        say`A row produces one number of y. It is the sum of ${strong(trace.window.cols)} products.`,
      falseAt: ({ trace }) => firstProductStep(trace),
    },
    {
      id: 'rows-and-columns',
      title: 'rows and columns are added',
      answer: ({ trace: { window } }) => plus(of(window.rows, 'rows'), of(window.cols, 'columns')),
      reply: ({ trace: { window } }) =>
        say`Each of ${window.rows} rows has ${strong(`${window.cols} cells`)}: that is a product, not a sum.`,
      falseAt: ({ trace }) => firstProductStep(trace),
    },
  ],
};

/** The questions about dense matrices for lessons. */
export const questions: readonly Question[] = [bytes, multiplications] as readonly Question[];
