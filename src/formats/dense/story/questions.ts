import { VALUE_BITS } from '../../../core/number/index.ts';
import { bytesQuestion } from '../../../core/story/bytes-question.ts';
import { type Question, stepWhere } from '../../../core/story/question.ts';
import { countText, say, strong } from '../../../core/story/words.ts';
import { storage } from '../storage.ts';
import type { DenseTrace } from './trace.ts';

const valueBytes = ({ params }: DenseTrace): number => VALUE_BITS[params.valueType] / 8;
const cellsOf = ({ window: { rows, cols } }: DenseTrace): number => rows * cols;

const packed = (t: DenseTrace): number => stepWhere(t, (d) => d.kind === 'packed');
const firstStore = (t: DenseTrace): number => stepWhere(t, (d) => d.kind === 'store');

/** The bytes of the window. */
const bytes = bytesQuestion<DenseTrace>({
  title: 'the dense format',
  ledger: ({ encoded }) => storage(encoded),
  hint: (t) => `A value takes ${valueBytes(t)} bytes.`,
  stores: firstStore,
  span: (t) => ({ before: packed(t) - 1, shows: packed(t) }),
  forgotten: [],
  misconceptions: [
    {
      id: 'zeros-are-free',
      title: 'zeros take no space',
      answer: ({ trace }) => trace.window.nnz * valueBytes(trace),
      reply: () => say`That counts the weights alone. Dense stores ${strong('every cell')}, zeros too.`,
      departs: ({ trace }) => firstStore(trace),
    },
    {
      id: 'a-byte-for-a-cell',
      title: 'a cell is a byte',
      answer: ({ trace }) => cellsOf(trace),
      reply: ({ trace }) =>
        say`That counts cells. A number in ${trace.params.valueType} takes ${strong(`${valueBytes(trace)} bytes`)}.`,
      departs: ({ trace }) => firstStore(trace),
    },
    {
      id: 'columns-stored',
      title: 'the column of each cell is stored, too',
      answer: ({ trace }) => cellsOf(trace) * (valueBytes(trace) + 4),
      reply: () => say`No column is stored: every cell is there, so ${strong('its place in memory')} says where it is.`,
      departs: ({ trace }) => firstStore(trace),
    },
  ],
});

interface TraceAsked {
  readonly trace: DenseTrace;
}

const productsOf = (t: DenseTrace): number =>
  t.steps.reduce((sum, { effects }) => sum + effects.filter(({ kind }) => kind === 'accumulate').length, 0);

const multiplied = (t: DenseTrace): number => stepWhere(t, (d) => d.kind === 'multiplied');
const firstProducts = (t: DenseTrace): number => stepWhere(t, (d) => d.kind === 'products');

/** How many multiplications y = A x takes. */
const multiplications: Question<DenseTrace, TraceAsked> = {
  id: 'multiplications',
  subject: (trace) => (trace.window.nnz === 0 ? null : { trace }),
  ask: ({ trace: { window } }) =>
    say`This matrix has ${window.rows} rows, ${window.cols} columns and ${window.nnz} weights. It is stored dense. How many multiplications does ${strong('y = A x')} take?`,
  answer: ({ trace }) => productsOf(trace),
  because: ({ trace }) =>
    say`Every cell is multiplied, zeros as well: ${trace.window.rows} × ${trace.window.cols} = ${strong(countText(productsOf(trace)))}. Every weight is used ${strong('once')}.`,
  span: ({ trace }) => ({ before: firstProducts(trace) - 1, shows: multiplied(trace) }),
  misconceptions: [
    {
      id: 'zeros-skipped',
      title: 'zeros are skipped',
      answer: ({ trace }) => trace.window.nnz,
      reply: () => say`To skip a zero, the kernel would have to ${strong('read')} it first. So dense multiplies it.`,
      departs: ({ trace }) => firstProducts(trace),
    },
    {
      id: 'one-for-each-row',
      title: 'a row is one multiplication',
      answer: ({ trace }) => trace.window.rows,
      reply: ({ trace }) => say`A row gives one number of y. It is the sum of ${strong(trace.window.cols)} products.`,
      departs: ({ trace }) => firstProducts(trace),
    },
    {
      id: 'rows-and-columns',
      title: 'rows and columns are added',
      answer: ({ trace: { window } }) => window.rows + window.cols,
      reply: ({ trace: { window } }) =>
        say`Each of ${window.rows} rows has ${strong(`${window.cols} cells`)}: that is a product, not a sum.`,
      departs: ({ trace }) => firstProducts(trace),
    },
  ],
};

/** The questions that lessons can ask about dense matrices. */
export const questions: readonly Question[] = [bytes, multiplications] as readonly Question[];
