import { VALUE_BITS } from '../../../core/number/index.ts';
import { bytesQuestion } from '../../../core/story/bytes-question.ts';
import { type Question, stepWhere } from '../../../core/story/question.ts';
import { countText, say, strong } from '../../../core/story/words.ts';
import { PUBLISHED_DEVICES } from '../../../theory/roofline/devices.ts';
import { storage } from '../storage.ts';
import type { DenseTrace } from './trace.ts';

const valueBytes = ({ params }: DenseTrace): number => VALUE_BITS[params.valueType] / 8;
const cellsOf = ({ window: { rows, cols } }: DenseTrace): number => rows * cols;

const packed = (t: DenseTrace): number => stepWhere(t, (d) => d.kind === 'packed');
const firstStore = (t: DenseTrace): number => stepWhere(t, (d) => d.kind === 'store');

/** What the window takes. */
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
      title: 'zeros take no room',
      answer: ({ trace }) => trace.window.nnz * valueBytes(trace),
      reply: ({ trace }) =>
        say`That counts the non-zeros alone. Dense stores ${strong('every cell')}, and a zero takes ${valueBytes(trace)} bytes like any other number.`,
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
      reply: () =>
        say`No column is stored: every cell is there, so ${strong('its place in memory')} says where it stands.`,
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
    say`This matrix has ${window.rows} rows, ${window.cols} columns and ${window.nnz} non-zeros. It is stored dense. How many multiplications does ${strong('y = A x')} take?`,
  answer: ({ trace }) => productsOf(trace),
  because: ({ trace }) =>
    say`Every cell meets its x, zeros as well: ${trace.window.rows} × ${trace.window.cols} = ${strong(countText(productsOf(trace)))}. Every weight is used ${strong('once')}.`,
  span: ({ trace }) => ({ before: firstProducts(trace) - 1, shows: multiplied(trace) }),
  misconceptions: [
    {
      id: 'zeros-skipped',
      title: 'zeros are skipped',
      answer: ({ trace }) => trace.window.nnz,
      reply: () =>
        say`To skip a zero one would have to know that it is one, and for that it has to be ${strong('read')} first. Dense multiplies it.`,
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

interface LayerAsked extends TraceAsked {
  /** of the layer, in 1024 */
  readonly rows: number;
  readonly cols: number;
}

const [DEVICE] = PUBLISHED_DEVICES;

/** Microseconds to read so many bytes. */
const timeOf = (amount: number): number => amount / (DEVICE.readGBps * 1e3);
const cellsOfLayer = ({ rows, cols }: LayerAsked): number => rows * cols * 1024 ** 2;

/** How long a layer takes at least, from its bytes alone. */
const leastTime: Question<DenseTrace, LayerAsked> = {
  id: 'least-time',
  unit: 'µs',
  tolerance: 0.03,
  subject: (trace, random) => ({ trace, rows: 2 + random.below(7), cols: 2 + random.below(7) }),
  ask: ({ trace, rows, cols }) =>
    say`A layer has ${countText(rows * 1024)} × ${countText(cols * 1024)} weights, each an ${trace.params.valueType}. An ${DEVICE.name.replace(/,.*/, '')} reads ${strong(`${countText(DEVICE.readGBps)} bytes in a nanosecond`)}. How many microseconds does it take at least to read the layer once?`,
  answer: (asked) => timeOf(cellsOfLayer(asked) * valueBytes(asked.trace)),
  because: (asked) =>
    say`${countText(cellsOfLayer(asked) * valueBytes(asked.trace))} bytes, divided by ${countText(DEVICE.readGBps * 1000)} bytes in a microsecond. A kernel that reads every weight ${strong('cannot be faster')}.`,
  span: ({ trace }) => ({ before: packed(trace) - 1, shows: packed(trace) }),
  misconceptions: [
    {
      id: 'cells-for-bytes',
      title: 'a weight is a byte',
      answer: (asked) => timeOf(cellsOfLayer(asked)),
      reply: ({ trace }) =>
        say`That divides the number of weights. Each of them is ${strong(`${valueBytes(trace)} bytes`)}.`,
      departs: ({ trace }) => packed(trace),
    },
    {
      id: 'bits-for-bytes',
      title: 'bits are read, not bytes',
      answer: (asked) => timeOf(cellsOfLayer(asked) * valueBytes(asked.trace) * 8),
      reply: () => say`That counts bits. The speed of memory is given in ${strong('bytes')}, and a byte is 8 bits.`,
      departs: ({ trace }) => packed(trace),
    },
    {
      id: 'thousand-of-a-nanosecond',
      title: 'a microsecond is a nanosecond',
      answer: (asked) => timeOf(cellsOfLayer(asked) * valueBytes(asked.trace)) * 1000,
      reply: () => say`That is in nanoseconds. A microsecond has ${strong('a thousand')} of them.`,
      departs: ({ trace }) => packed(trace),
    },
  ],
};

/** What lessons can ask of dense matrices. */
export const questions: readonly Question[] = [bytes, multiplications, leastTime] as readonly Question[];
