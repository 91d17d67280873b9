import { declareEncoding } from '../../core/declared/declare.ts';
import type { Layout } from '../../core/declared/declaration.ts';
import { Q4_GROUP } from '../../core/number/index.ts';
import { checkCells, type DenseEncoded, denseStride, scaleCount } from './layout.ts';
import { type DenseParams, params } from './params.ts';

type DenseArray = 'data' | 'scales';

/** By value type: the element type of the cells, and which cells share a scale (a row, or 32 columns). */
const STORED_AS = { f16: 'f16', f32: 'f32', i8: 'i8', i4: 'u4' } as const;
const SCALED_BY = { i8: 'row', i4: 32 } as const;

const arrays: Layout<DenseArray, DenseParams>['arrays'] = ({ valueType }) => ({
  data: {
    type: STORED_AS[valueType],
    role: 'values',
    length: ({ rows, cols }) => rows * denseStride(cols, valueType),
    padding: { says: 'every cell is stored' },
    meaning: 'cells in row-major order; 0 past the last column of a row',
    ...((valueType === 'i8' || valueType === 'i4') && {
      quantised: { by: SCALED_BY[valueType], scales: 'scales' as const },
    }),
  },
  scales: {
    type: valueType === 'i4' ? 'f16' : 'f32',
    role: 'metadata',
    length: ({ rows, cols }) => scaleCount(rows, denseStride(cols, valueType), valueType),
    meaning: 'value of one step of i8 in a row, or of i4 in 32 cells',
  },
});

/** Index of a column's cell in its row: in i4 the two halves of a byte are 16 columns apart. */
function cellIndexOf(column: number, { valueType }: DenseParams): number {
  if (valueType !== 'i4') return column;
  const inGroup = column % Q4_GROUP;
  const half = Q4_GROUP / 2;
  return column - inGroup + 2 * (inGroup % half) + (inGroup < half ? 0 : 1);
}

/** The encoding that the dense format's story and checks use; matrices are encoded by encode.ts, which is faster. */
export const encoding = declareEncoding<DenseArray, DenseParams, DenseEncoded>({
  id: 'dense',
  params,
  arrays,
  *encode(A, { data }, p) {
    const stride = denseStride(p.cols, p.valueType);
    let nnz = 0;
    for (const row of A) {
      const first = data.length;
      // step: row
      data.zeros(stride);
      const cells = row.columns.slice(0, row.length).map((column) => cellIndexOf(column, p));
      // step: cell
      nnz += data.setAt(cells, row.values, row.length, first);
      yield;
    }
    return { stride, nnz };
  },
  decode({ data }, p, put) {
    const stride = denseStride(p.cols, p.valueType);
    for (let r = 0; r < p.rows; r++) for (let c = 0; c < p.cols; c++) put(r, c, data[r * stride + cellIndexOf(c, p)]);
  },
  rules: { data: 'exactly nnz cells that are not 0; 0 past the last column', scales: 'finite; above 0 for i8' },
  checkLengths(e, v) {
    v.expect('data', null, 'stride', e.stride, denseStride(e.cols, e.valueType), 'cols rounded up');
  },
  check: checkCells,
});
