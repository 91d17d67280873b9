import { type AnyListedFormat, distinctOptions, resolvedParams, type Shape } from '../../../core/format.ts';
import { type CellUnit, cellUnit } from '../../../core/story/drawing.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import type { BenchReport } from '../../../core/report.ts';
import { seedOf, StandIn } from '../../../generate/stand-in.ts';
import { type Asked, fastest, type FormatQuery, timedPair } from '../../../kit/report/matrix-times.ts';
import { noCardOf } from '../../../kit/words/no-card.ts';
import {
  type AppDocument,
  baseOf,
  currentParams,
  type FormatParams,
  paramFields,
  placementOf,
} from '../../../state/index.ts';
import { expectedBytes, valueBits } from '../../../theory/expected-bytes.ts';
import { findPlace } from '../../../theory/models/model-tree.ts';

/** One of the two formats, with all that is known of it before anything was opened. */
interface VisitSide {
  readonly format: AnyListedFormat;
  /** resolved for the shape */
  readonly params: FormatParams;
  /** of the whole matrix, by the closed form */
  readonly bytes: number;
}

/** All that the first visit says, except for times. */
export interface VisitFacts {
  readonly shape: Shape;
  /** the whole matrix, with one token, as reports are asked for it */
  readonly asked: Asked;
  /** share of the weights that is left */
  readonly left: number;
  /** bytes of the values that are left */
  readonly leftBytes: number;
  readonly a: VisitSide;
  readonly b: VisitSide;
  /** weights of the cut's first row that are left, by their columns within the cut */
  readonly entries: readonly { readonly column: number; readonly value: number }[];
  /** how the weights are written: as on the stage, which shows the whole cut */
  readonly unit: CellUnit;
  /** The whole matrix in the narrowest values that B has, where that is smaller than A. */
  readonly unpruned: { readonly bits: number; readonly bytes: number; readonly params: FormatParams } | null;
}

/** What is known of a document about a pruned matrix of a model, in `columns` columns of its cut; null for another one. */
export function visitFacts(doc: AppDocument, formats: readonly AnyListedFormat[], columns: number): VisitFacts | null {
  const { source } = doc;
  const base = baseOf(source);
  if (source.kind !== 'pruned' || base.kind !== 'model' || source.pruning.way === 'wanda') return null;
  const { path, matrix } = findPlace(base);
  const { rows, cols } = matrix;
  const shape = { rows, cols };
  const weights = new StandIn({ rows, cols, seed: seedOf(Object.values(path).join(' ')) }, source.pruning);
  const left = weights.expectedNonZeros / (rows * cols);
  const sideOf = (id: string, given: FormatParams): VisitSide | null => {
    const format = formats.find((known) => known.id === id);
    if (!format) return null;
    const params = resolvedParams(format.params, given, shape);
    const bytes = expectedBytes({ format, params }, left, shape);
    return bytes === null ? null : { format, params, bytes: Math.round(bytes) };
  };
  const a = sideOf(doc.format, currentParams(doc));
  const b = doc.against && sideOf(doc.against.format, doc.against.params);
  if (!a || !b) return null;
  const cut = doc.window ?? { row: 0, col: 0, rows: 1, cols };
  const buffer = rowBuffer(cols);
  const entriesOf = (row: number, width: number): VisitFacts['entries'] => {
    const n = weights.readRowPart(row, cut.col, Math.min(cut.col + width, cols), buffer);
    return Array.from({ length: n }, (_, i) => ({ column: buffer.columns[i] - cut.col, value: buffer.values[i] }));
  };
  const rowsOfCut = Array.from({ length: cut.rows }, (_, r) => entriesOf(cut.row + r, cut.cols));
  return {
    shape,
    asked: {
      ...shape,
      nnz: Math.round(weights.expectedNonZeros),
      density: left,
      tokens: 1,
      names: [],
      isEstimated: true,
      isEven: placementOf(source) === 'even',
    },
    left,
    leftBytes: (weights.expectedNonZeros * valueBits(a.params)) / 8,
    a,
    b,
    entries: entriesOf(cut.row, Math.min(columns, cut.cols)),
    unit: cellUnit(rowsOfCut.flat().map(({ value }) => value)),
    unpruned: unprunedOf(b, shape, a.bytes),
  };
}

function unprunedOf({ format, params }: VisitSide, shape: Shape, below: number): VisitFacts['unpruned'] {
  const types = paramFields(format.params).flatMap(([name, field]) =>
    name === 'valueType' && field.kind === 'choice' ? distinctOptions(field).map(({ value }) => value) : [],
  );
  const all = types.flatMap((valueType) => {
    const narrow = { ...params, valueType };
    const bytes = expectedBytes({ format, params: narrow }, 1, shape);
    return bytes === null ? [] : [{ bits: valueBits(narrow), bytes: Math.round(bytes), params: narrow }];
  });
  const min = all.reduce<VisitFacts['unpruned']>((best, one) => (best && best.bytes <= one.bytes ? best : one), null);
  return min && min.bytes < below ? min : null;
}

/** Times of both formats, taken in the same rounds. */
export interface VisitTimes {
  readonly a: number;
  readonly b: number;
  /** of B in its narrowest values, in the same report; null where it was not timed there */
  readonly unpruned: number | null;
  readonly report: BenchReport;
  /** of a CPU that plays a GPU */
  readonly isSoftware: boolean;
}

/** The newest times of both formats on a matrix like this one, in nanoseconds, cold; null where there are none. */
export function visitTimes(
  reports: readonly BenchReport[],
  { asked, a, b, unpruned = null }: Pick<VisitFacts, 'asked' | 'a' | 'b'> & Partial<Pick<VisitFacts, 'unpruned'>>,
): VisitTimes | null {
  const { a: ofA, b: ofB } = timedPair(gpuReports(reports), asked, queryOf(a), queryOf(b));
  if (ofA?.row.medianNs == null || ofB?.row.medianNs == null || ofA.report !== ofB.report) return null;
  const { report } = ofA;
  const narrow = unpruned && fastest(report, queryOf({ ...b, params: unpruned.params }));
  const narrowNs = narrow?.row.medianNs ?? null;
  return {
    a: ofA.row.medianNs,
    b: ofB.row.medianNs,
    unpruned: narrowNs,
    report,
    isSoftware: noCardOf(report) === 'software',
  };
}

/** One of the two formats, as reports are asked for it. */
export function queryOf({ format, params }: Pick<VisitSide, 'format' | 'params'>): FormatQuery {
  return { format: format.id, params, spec: format.params };
}

/** Those of GPUs alone, if only in software: the sentence is about one. */
function gpuReports(reports: readonly BenchReport[]): readonly BenchReport[] {
  return reports.filter((report) => noCardOf(report) !== 'CPU');
}
