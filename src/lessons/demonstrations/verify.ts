import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { spmvWithBound, sumBound } from '../../core/oracle.ts';
import { matrixPanel, rowFrame } from '../../story/scene-parts.ts';
import { type Question, stepWhere } from '../../story/question.ts';
import type { Panel } from '../../story/scene.ts';
import { traceVector } from '../../story/trace.ts';
import { counted, listText, say, strong, valueText, type Words } from '../../core/text/words.ts';
import { barAt, barsPanel } from './bars.ts';
import { mistake, demo, type DemoTrace } from './demonstration.ts';

/** The correct kernel, or the wrong kernel, which omits the remainder of a row after groups of four. */
type Kernel = 'right' | 'wrong';

type VerifyStep =
  | { readonly kind: 'reference' }
  | { readonly kind: 'row'; readonly kernel: Kernel; readonly row: number }
  | { readonly kind: 'verdict'; readonly kernel: Kernel };

/** The result of a kernel, compared with the reference. */
interface KernelCheck {
  readonly y: Float32Array;
  /** distance to the reference, per row */
  readonly error: Float64Array;
  /** rows whose error exceeds the bound */
  readonly refused: readonly number[];
}

interface VerifyNumbers {
  /** non-zeros of each row */
  readonly counts: Uint32Array;
  readonly reference: Float64Array;
  /** for each row, the largest error that rounding explains */
  readonly bound: Float64Array;
  readonly kernels: Readonly<Record<Kernel, KernelCheck>>;
  /** number of non-zeros that the wrong kernel reads */
  readonly read: number;
}

type VerifyTrace = DemoTrace<VerifyStep, VerifyNumbers>;

/** Length of the bar of an error that equals its bound. Errors differ by powers of ten, so lengths are logarithms. */
const BOUND_LENGTH = 3;
/** Entries that the kernels process at a time. */
const GROUP = 4;

/** Roundings of each product a x, in addition to the roundings of the sum. */
const ROUNDINGS = 1;

/** y = A x in f32; the wrong kernel stops before the remainder of a row. */
function multiply(m: Matrix, x: Float32Array, kernel: Kernel): Float32Array {
  const buffer = rowBuffer(m.cols);
  return Float32Array.from({ length: m.rows }, (_, row) => {
    const n = m.readRow(row, buffer);
    const end = kernel === 'right' ? n : n - (n % GROUP);
    let sum = 0;
    for (let i = 0; i < end; i++) sum = Math.fround(sum + Math.fround(buffer.values[i] * x[buffer.columns[i]]));
    return sum;
  });
}

/** An error as a multiple of the bound, in words. */
function timesText(error: number, bound: number): string {
  if (error === 0) return 'no error at all';
  const times = error / bound;
  return times <= 1
    ? `${Math.max(1, Math.round(100 * times))} % of what rounding explains`
    : `${valueText(times)} times what rounding explains`;
}

/** The text next to the bar of an error: 'within' the bound, or a multiple of the bound. */
function barText(error: number, bound: number): string {
  if (error === 0) return 'none';
  return error <= bound ? 'within' : `${valueText(error / bound)} ×`;
}

function narrate({ encoded: result }: VerifyTrace, detail: VerifyStep | null): readonly Words[] {
  switch (detail?.kind) {
    case undefined:
      return say`${strong('Nothing is timed')} until it is known which kernel is right.`;
    case 'reference':
      return say`The reference adds up in ${strong('double precision')}. It also computes the largest rounding error of each row.`;
    case 'row': {
      const { y, error, refused } = result.kernels[detail.kernel];
      const isWrong = refused.includes(detail.row);
      return say`Row ${detail.row}, ${counted(result.counts[detail.row], 'non-zero')}: the kernel returns ${valueText(y[detail.row])}, the reference ${valueText(result.reference[detail.row])}. That is ${strong(timesText(error[detail.row], result.bound[detail.row]))}${isWrong ? ': rejected' : ''}.`;
    }
    case 'verdict': {
      const { refused } = result.kernels[detail.kernel];
      if (refused.length === 0)
        return say`Every row lies within what rounding explains: this kernel is ${strong('verified')}.`;
      return say`${strong(counted(refused.length, 'row'))} ${refused.length === 1 ? 'is' : 'are'} wrong. This kernel is ${strong('not timed')}.`;
    }
  }
}

function panelsOf(t: VerifyTrace, detail: VerifyStep | null): readonly Panel[] {
  const { encoded: result, window } = t;
  const currentRow = detail?.kind === 'row' ? detail.row : null;
  const matrix = matrixPanel(window, {
    row: currentRow ?? 0,
    overlay: currentRow === null ? [] : rowFrame(window, currentRow),
    // The entries that the wrong kernel omits. `ordinal` counts the non-zeros of the matrix.
    style: (row, _col, ordinal) => {
      if (detail?.kind !== 'row' || detail.kernel === 'right') return {};
      const before = result.counts.slice(0, row).reduce((sum, n) => sum + n, 0);
      return ordinal - before >= result.counts[row] - (result.counts[row] % GROUP) ? { tone: 'padding' } : {};
    },
  });
  if (detail === null || detail.kind === 'reference') return [matrix];
  const { error, refused } = result.kernels[detail.kernel];
  const upTo = detail.kind === 'row' ? detail.row : window.rows;
  const lengthOf = (row: number): number =>
    error[row] === 0 ? 0 : Math.max(0.2, Math.log10(error[row] / Math.max(result.bound[row], 1e-30)) + BOUND_LENGTH);
  const bars = [...error.keys()].map((row) => {
    const tone = refused.includes(row) ? 'metadata' : 'format';
    return barAt(row, upTo, `row ${row}`, lengthOf(row), barText(error[row], result.bound[row]), tone);
  });
  return [
    matrix,
    barsPanel({
      id: 'errors',
      title: 'error of each row',
      caption: 'by powers of ten; the line is what rounding explains',
      bars,
      line: { value: BOUND_LENGTH, label: 'what rounding explains' },
    }),
  ];
}

/** The step at which a row of the wrong kernel is compared. */
const wrongRow = (trace: VerifyTrace, row: number): number =>
  stepWhere(trace, (d) => d.kind === 'row' && d.kernel === 'wrong' && d.row === row);
const firstRejected = (trace: VerifyTrace): number => wrongRow(trace, trace.encoded.kernels.wrong.refused[0]);
const rejectedCount = ({ encoded }: VerifyTrace): number => encoded.kernels.wrong.refused.length;
const wrongVerdict = (trace: VerifyTrace): number =>
  stepWhere(trace, (d) => d.kind === 'verdict' && d.kernel === 'wrong');

const rowsRejected: Question<VerifyTrace, VerifyTrace> = {
  id: 'rows-refused',
  unit: 'rows',
  findCase: (trace) => (rejectedCount(trace) > 0 ? trace : null),
  ask: ({ encoded: result }) =>
    say`The rows of a matrix have ${listText([...result.counts].map(String))} non-zeros. A kernel takes ${strong(`${GROUP} at a time`)} and forgets the remainder at the end of a row. How many rows are rejected?`,
  answer: rejectedCount,
  reason: (trace) =>
    say`Rows ${listText(trace.encoded.kernels.wrong.refused.map(String))} have a remainder. Their errors exceed rounding: ${strong(counted(rejectedCount(trace), 'row'))}.`,
  steps: (trace) => ({ before: firstRejected(trace) - 1, shows: wrongVerdict(trace) }),
  misconceptions: [
    mistake(
      'any-difference-is-an-error',
      ({ encoded }) => encoded.kernels.wrong.error.filter((error) => error > 0).length,
      (trace) =>
        stepWhere(
          trace,
          (d) => d.kind === 'row' && d.kernel === 'wrong' && !trace.encoded.kernels.wrong.refused.includes(d.row),
        ),
    ),
    mistake('only-the-last-row', () => 1, firstRejected),
    mistake('only-short-rows', ({ encoded }) => encoded.counts.filter((n) => n > 0 && n < GROUP).length, firstRejected),
  ],
};

/** Demonstrates verification for a lesson: a right and a wrong kernel, in f32, are compared with f64, row by row. */
export const verify = demo<VerifyStep, VerifyNumbers>({
  id: 'verify',
  title: 'Right or wrong',
  run(window, _random, builder) {
    const x = traceVector(window.cols);
    const { y: reference, magnitude, entries: counts } = spmvWithBound(window, x);
    const bound = Float64Array.from(counts, (n, row) => sumBound(magnitude[row], n, ROUNDINGS));
    const check = (kernel: Kernel): KernelCheck => {
      const y = multiply(window, x, kernel);
      const error = Float64Array.from(y, (value, row) => Math.abs(value - reference[row]));
      return { y, error, refused: [...error.keys()].filter((row) => error[row] > bound[row]) };
    };
    const kernels = { right: check('right'), wrong: check('wrong') };
    builder.chapter('reference', 'Reference');
    builder.step({ kind: 'reference' });
    for (const kernel of ['right', 'wrong'] as const) {
      builder.chapter(kernel, kernel === 'right' ? 'A right kernel' : 'A wrong kernel');
      for (let row = 0; row < window.rows; row++) builder.step({ kind: 'row', kernel, row });
      builder.step({ kind: 'verdict', kernel });
    }
    const read = counts.reduce((sum, n) => sum + n - (n % GROUP), 0);
    return { counts, reference, bound, kernels, read };
  },
  panels: panelsOf,
  narrate,
  questions: [rowsRejected] as readonly Question[],
});
