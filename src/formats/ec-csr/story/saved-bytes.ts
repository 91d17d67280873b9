import type { FrameContext } from '../../../story/frames.ts';
import { densityText } from '../../../core/text/rounded.ts';
import { fact, scoped, type Stated, stated } from '../../../core/text/stated.ts';
import { shapeText } from '../../../core/text/words.ts';
import { baseBits } from '../layout.ts';
import { type EcCsrParams, valueBits } from '../params.ts';
import { type Facts, type Purposes, purposesOf } from './facts.ts';

/* Bytes of column lists with one list for each row ("plain") compared with EC-CSR, for the story's text and bars. */

/** The bytes of all purposes together. */
export const totalOf = ({ weights, zeros, columns, bookkeeping }: Purposes): number =>
  weights + zeros + columns + bookkeeping;

/** Bytes with a list for each row, and where each list begins. */
const plainBytes = (rows: number, nnz: number, weightBytes: number, columnBytes: number): Purposes => ({
  weights: nnz * weightBytes,
  zeros: 0,
  columns: nnz * columnBytes,
  bookkeeping: 4 * (rows + 1),
});

/** Bytes of a matrix with a list for each row (`plain`), and in EC-CSR (`ecCsr`). */
interface TwoWays {
  readonly what: string;
  readonly plain: Purposes;
  readonly ecCsr: Purposes;
}

/** 8192 × 8192 random weights with seed 1, 30 % kept, with the default parameters; few stored zeros count as weights. */
export const LARGE: TwoWays = {
  what: `larger: ${shapeText(8192, 8192)}, random rows, ${densityText(0.3)} kept`,
  plain: plainBytes(8192, 20_138_765, 2, 2),
  ecCsr: { weights: 40_531_712, zeros: 0, columns: 15_429_632, bookkeeping: 324_576 },
};

/** The bytes of these rows (`cut`) and of the whole matrix or, where that is no larger, of `LARGE`. */
export function twoWays(
  { rows, cols, numbers, numberBytes, bytes, t }: Facts,
  { wholeMatrix }: Pick<FrameContext, 'wholeMatrix'>,
) {
  const nnz = numbers.start; // a column number for each non-zero, before blocks are extracted
  const weightBytes = valueBits(t.encoded) / 8;
  const window: TwoWays = { what: 'these rows', plain: plainBytes(rows, nnz, weightBytes, numberBytes), ecCsr: bytes };
  if (!wholeMatrix || wholeMatrix.ledger.totalBytes <= bytes.total) return { cut: window, larger: LARGE };
  const { lanes = t.encoded.lanes } = wholeMatrix.params as Partial<EcCsrParams>;
  const isAll = wholeMatrix.rows === rows && wholeMatrix.cols === cols;
  const threads = lanes === t.encoded.lanes ? '' : `, for ${lanes} threads as on a GPU`;
  const larger: TwoWays = {
    what: isAll
      ? `the same cells${threads}`
      : `larger: the whole matrix, ${shapeText(wholeMatrix.rows, wholeMatrix.cols)}${threads}`,
    plain: plainBytes(wholeMatrix.rows, wholeMatrix.nnz, weightBytes, baseBits(wholeMatrix) / 8),
    ecCsr: purposesOf(wholeMatrix.ledger.entries, wholeMatrix.nnz * weightBytes),
  };
  return { cut: window, larger };
}

/** Bytes that EC-CSR takes less than plain lists; negative if it takes more. */
const savedBy = ({ plain, ecCsr }: TwoWays): number => totalOf(plain) - totalOf(ecCsr);

/** How many bytes these rows, and the whole matrix, take more or less than with a list for each row. */
export function gainStated(f: Facts, context: FrameContext): Stated {
  const { cut, larger } = twoWays(f, context);
  const saved = savedBy(cut);
  const unit = ['byte', 'bytes'] as const;
  if (larger === LARGE) {
    const less = saved > 0 ? '' : '; a large matrix needs fewer';
    return stated`${f.rows === 1 ? 'This row takes' : 'These rows take'} *${fact('bytes against a list for each row', Math.abs(saved), 'count', unit)} ${saved > 0 ? 'less' : 'more'}* than plain lists${less}.`;
  }
  const inAll = savedBy(larger);
  const here = fact('bytes against a list for each row', Math.abs(saved), 'count', unit);
  const all = fact('bytes less than a list for each row, the matrix', Math.abs(inAll), 'count', unit);
  const [comparative, comparativeInAll] = [saved, inAll].map((bytes) => (bytes > 0 ? 'less' : 'more'));
  const drawn = fact('threads drawn', f.t.encoded.lanes, 'word', ['thread', 'threads']);
  // The same cells, in lists for as many threads as a GPU has: the drawing has two.
  if (context.wholeMatrix?.rows === f.rows && context.wholeMatrix.cols === f.t.window.cols)
    return stated`For ${drawn}: *${here} ${comparative} than plain lists*. As on a GPU: ${scoped('matrix', stated`${all} ${comparativeInAll}`)}.`;
  // The region may be a part of its rows. Two sentences: the captions of the bars name the number of threads of each, which may differ.
  return stated`*This region takes ${here} ${comparative} than plain lists.* The whole matrix: ${scoped('matrix', stated`${all} ${comparativeInAll}`)}.`;
}
