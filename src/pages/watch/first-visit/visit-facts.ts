import { type AnyListedFormat, distinctOptions, resolvedParams, type Shape } from '../../../core/format.ts';
import { readCells } from '../../../core/cells/edited-cells.ts';
import { type Matrix, rowBuffer } from '../../../core/matrix/index.ts';
import { seedOf, RandomWeights } from '../../../generate/random-weights.ts';
import type { TimedMatrix } from '../../../kit/report/matrix-times.ts';
import {
  type AppDocument,
  baseOf,
  currentParams,
  type FormatParams,
  paramFields,
  placementOf,
} from '../../../state/index.ts';
import { expectedBytes, valueBits } from '../../../theory/expected-bytes.ts';
import { findPosition } from '../../../theory/models/model-tree.ts';

/** One of the two compared formats, A or B. Its bytes are computed, since nothing has been encoded yet. */
interface VisitSide {
  readonly format: AnyListedFormat;
  /** resolved for the shape */
  readonly params: FormatParams;
  /** expected bytes of the whole matrix */
  readonly bytes: number;
}

/** The numbers on the page's first screen, except for times. */
export interface VisitFacts {
  readonly shape: Shape;
  /** the whole matrix, as a query for the times of its product with one token in reports */
  readonly matrix: TimedMatrix;
  /** share of the weights left after pruning */
  readonly density: number;
  /** bytes of the remaining values */
  readonly keptBytes: number;
  readonly a: VisitSide;
  readonly b: VisitSide;
  /** the non-zeros of the first row of the window (the part of the matrix that is drawn), by column of the window */
  readonly entries: readonly { readonly column: number; readonly value: number }[];
  /** bytes in A at another density */
  readonly bytesAt: (left: number) => number;
  /** bits of one element of A's array: a value, and the fields stored with it */
  readonly slotBits: number;
  /** the unpruned matrix in format B, with the value type of the fewest bytes; null if not smaller than `b` */
  readonly unpruned: { readonly bits: number; readonly bytes: number; readonly params: FormatParams } | null;
}

/** The numbers for a document (page state) about a pruned matrix of a model, else null. `columns`: drawn at most. */
export function visitFacts(doc: AppDocument, formats: readonly AnyListedFormat[], columns: number): VisitFacts | null {
  const { source } = doc;
  const base = baseOf(source);
  if (source.kind !== 'pruned' || base.kind !== 'model' || source.pruning.way === 'wanda') return null;
  const { path, matrix } = findPosition(base);
  const { rows, cols } = matrix;
  const shape = { rows, cols };
  const weights = new RandomWeights({ rows, cols, seed: seedOf(Object.values(path).join(' ')) }, source.pruning);
  const density = weights.expectedNonZeros / (rows * cols);
  const sideOf = (id: string, given: FormatParams): VisitSide | null => {
    const format = formats.find((candidate) => candidate.id === id);
    if (!format) return null;
    const params = resolvedParams(format.params, given, shape);
    const bytes = expectedBytes({ format, params }, density, shape);
    return bytes === null ? null : { format, params, bytes: Math.round(bytes) };
  };
  const a = sideOf(doc.format, currentParams(doc));
  const b = doc.formatB && sideOf(doc.formatB.format, doc.formatB.params);
  if (!a || !b) return null;
  const bytesAt = (share: number): number => expectedBytes(a, share, shape) ?? a.bytes;
  return {
    shape,
    matrix: {
      ...shape,
      nnz: Math.round(weights.expectedNonZeros),
      density,
      tokens: 1,
      names: [],
      isEstimated: true,
      isEven: placementOf(source) === 'even',
    },
    density,
    keptBytes: (weights.expectedNonZeros * valueBits(a.params)) / 8,
    a,
    b,
    entries: entriesOf(doc, weights).filter(({ column }) => column < columns),
    bytesAt,
    slotBits: Math.round((8 * bytesAt(1)) / (rows * cols)),
    unpruned: unprunedOf(b, shape),
  };
}

/** The non-zeros of the window's first row, with the user's edits. */
function entriesOf({ window, edited }: AppDocument, weights: RandomWeights): VisitFacts['entries'] {
  const region = window ?? { row: 0, col: 0, rows: 1, cols: weights.cols };
  const editedCells: Matrix | null = edited === null ? null : readCells(edited, region.rows, region.cols);
  const buffer = rowBuffer(weights.cols);
  const n =
    editedCells?.readRow(0, buffer) ?? weights.readRowPart(region.row, region.col, region.col + region.cols, buffer);
  const from = editedCells ? 0 : region.col;
  return Array.from({ length: n }, (_, i) => ({ column: buffer.columns[i] - from, value: buffer.values[i] }));
}

/** `VisitFacts.unpruned`. */
function unprunedOf({ format, params, bytes: prunedBytes }: VisitSide, shape: Shape): VisitFacts['unpruned'] {
  const types = paramFields(format.params).flatMap(([name, field]) =>
    name === 'valueType' && field.kind === 'choice' ? distinctOptions(field).map(({ value }) => value) : [],
  );
  const sizes = types.flatMap((valueType) => {
    const narrow = { ...params, valueType };
    const bytes = expectedBytes({ format, params: narrow }, 1, shape);
    return bytes === null ? [] : [{ bits: valueBits(narrow), bytes: Math.round(bytes), params: narrow }];
  });
  const min = sizes.reduce<VisitFacts['unpruned']>(
    (best, size) => (best && best.bytes <= size.bytes ? best : size),
    null,
  );
  return min && min.bytes < prunedBytes ? min : null;
}
