import { bytesQuestion, stepOfClass } from '../../../story/declared/questions.ts';
import { type DeclaredTrace, stepEncoded, stepStoring } from '../../../story/declared/trace.ts';
import { Q4_GROUP, VALUE_BITS } from '../../../core/number/index.ts';
import type { Question } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { minus, of, plus, times } from '../../../story/computed.ts';
import { encoding } from '../encoding.ts';
import type { BitmaskEncoded } from '../layout.ts';
import { WORD_BITS } from '../params.ts';

/** Steps of encoding and multiplying `window`, the small matrix of a story, with the encoded arrays. */
type BitmaskTrace = DeclaredTrace<BitmaskEncoded>;

interface ValueCase {
  readonly trace: BitmaskTrace;
  /** index into values */
  readonly at: number;
}

const rowOf = ({ trace, at }: ValueCase): number => trace.encoded.rowPtr.findLastIndex((start) => start <= at);
const colOf = ({ trace, at }: ValueCase): number => trace.window.indices[at];
const valueStep = ({ trace, at }: ValueCase): number => stepStoring(trace, 'values', at);
const firstBitStep = (t: BitmaskTrace): number => stepOfClass(t, 'values');

/** Which value belongs to a set bit. */
const valueOfBit: Question<BitmaskTrace, ValueCase> = {
  id: 'value-of-bit',
  findCase(trace, random) {
    if (trace.window.nnz === 0) return null;
    return { trace, at: random.below(trace.window.nnz) };
  },
  needs: () => 'some cell is not zero',
  ask(questionCase) {
    const { trace } = questionCase;
    const row = rowOf(questionCase);
    const columns = [...trace.window.indices.subarray(trace.encoded.rowPtr[row], trace.encoded.rowPtr[row + 1])];
    return say`rowPtr[${row}] is ${trace.encoded.rowPtr[row]}. In row ${row} the bits of columns ${listText(columns.map(String))} are set. Which element of values belongs to column ${strong(colOf(questionCase))}?`;
  },
  answer: ({ at }) => at,
  reason(questionCase) {
    const start = questionCase.trace.encoded.rowPtr[rowOf(questionCase)];
    return say`The row begins at ${start}, and ${strong(counted(questionCase.at - start, 'bit'))} of it ${questionCase.at - start === 1 ? 'is' : 'are'} set before this one: values[${questionCase.at}].`;
  },
  steps: (questionCase) => ({ before: valueStep(questionCase) - 1, shows: valueStep(questionCase) }),
  misconceptions: [
    {
      id: 'row-start-forgotten',
      title: 'values are counted from 0 in each row',
      answer: (questionCase) =>
        minus(of(questionCase.at, 'values before'), questionCase.trace.encoded.rowPtr[rowOf(questionCase)]),
      reply: (questionCase) =>
        say`That counts within the row, which begins at value ${strong(questionCase.trace.encoded.rowPtr[rowOf(questionCase)])}.`,
    },
    {
      id: 'own-bit-counted',
      title: 'the bit itself counts as well',
      answer: ({ at }) => plus(at, of(1, 'bits')),
      reply: () => say`Only the bits ${strong('before')} this one count.`,
    },
    {
      id: 'column-as-place',
      title: 'a value is stored at its column',
      answer: (questionCase) =>
        plus(questionCase.trace.encoded.rowPtr[rowOf(questionCase)], of(colOf(questionCase), 'columns')),
      reply: () => say`That would reserve values for the zeros. Values follow each other ${strong('without gaps')}.`,
    },
  ],
};

const SCALES: Readonly<Partial<Record<BitmaskTrace['encoded']['valueType'], string>>> = {
  i8: ' The scale of a row takes 4 bytes.',
  i4: ` The scale of ${Q4_GROUP} values takes 2 bytes.`,
};

/** The size of the encoded matrix in bytes. */
const bytes = bytesQuestion<BitmaskTrace>({
  title: 'the bitmask',
  ledger: ({ encoded }) => encoding.storage(encoded),
  hint: ({ encoded: { valueType } }) =>
    `A value takes ${VALUE_BITS[valueType]} bits, a row of bits whole words of ${WORD_BITS / 8} bytes, a row start 4.${SCALES[valueType] ?? ''}`,
  forgottenClasses: ['metadata'],
  misconceptions: [
    {
      id: 'a-bit-for-a-non-zero',
      title: 'only weights have a bit',
      answer: ({ trace }) => {
        const { totalBytes } = encoding.storage(trace.encoded);
        const others = totalBytes - trace.encoded.mask.byteLength;
        return plus(of(others, 'other bytes'), of(Math.ceil(trace.window.nnz / 8), 'bytes'));
      },
      reply: ({ trace: { window } }) =>
        say`A bit marks whether there is a value. So ${strong('every cell')} needs one: ${window.rows * window.cols} in all.`,
      falseAt: ({ trace }) => firstBitStep(trace),
    },
    {
      id: 'a-byte-for-a-cell',
      title: 'a bit is stored as a byte',
      answer: ({ trace }) => {
        const { rows, cols } = trace.window;
        const others = encoding.storage(trace.encoded).totalBytes - trace.encoded.mask.byteLength;
        return plus(of(others, 'other bytes'), times(rows, of(cols, 'cells')));
      },
      reply: () => say`That would be a byte for every cell. ${strong('Eight bits')} share one.`,
      falseAt: ({ trace }) => firstBitStep(trace),
    },
  ],
});

interface RowCase {
  readonly trace: BitmaskTrace;
  /** columns of a row: a multiple of 64 */
  readonly cols: number;
  /** bits of a column number */
  readonly indexBits: number;
}

/** How many column numbers take as many bits as the mask of a row. */
const tie = ({ cols, indexBits }: RowCase): number => cols / indexBits;

/** The fewest non-zeros per row for which the mask is smaller than column numbers. */
const breakEven: Question<BitmaskTrace, RowCase> = {
  id: 'cheaper-than-columns',
  unit: 'non-zeros',
  findCase: (trace, random) => ({ trace, cols: 64 * (1 + random.below(8)), indexBits: 16 * (1 + random.below(2)) }),
  ask: ({ cols, indexBits }) =>
    say`A row has ${strong(cols)} columns, and one bit for each. A column number takes ${strong(`${indexBits} bits`)}. From how many weights in a row do the bits take ${strong('less')} than column numbers would?`,
  answer: (questionCase) => tie(questionCase) + 1,
  reason: (questionCase) =>
    say`${tie(questionCase)} column numbers take as much as the bits of the row. So from ${strong(tie(questionCase) + 1)} on, the bits take less.`,
  steps: ({ trace }) => ({ before: stepEncoded(trace) - 1, shows: stepEncoded(trace) }),
  misconceptions: [
    {
      id: 'equal-is-less',
      title: 'equal counts as less',
      answer: tie,
      reply: (questionCase) =>
        say`With ${tie(questionCase)} both take ${strong(`${questionCase.cols} bits`)}. With one more, the bits take less.`,
    },
    {
      id: 'half-of-the-row',
      title: 'half of the row has to be full',
      answer: ({ cols }) => plus(of(cols / 2, 'cells'), 1),
      reply: ({ indexBits }) =>
        say`One column number is as long as the bits of ${strong(`${indexBits} cells`)}: one weight in ${indexBits} cells makes them even.`,
    },
    {
      id: 'column-of-a-byte',
      title: 'a column number is a byte',
      answer: ({ cols }) => plus(of(cols / 8, 'column numbers'), 1),
      reply: (questionCase) =>
        say`That divides by 8, but a column number takes ${strong(`${questionCase.indexBits} bits`)}.`,
    },
  ],
};

/** The questions about the bitmask for lessons. */
export const questions: readonly Question[] = [valueOfBit, bytes, breakEven] as readonly Question[];
