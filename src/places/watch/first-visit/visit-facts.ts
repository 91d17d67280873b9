import { type AnyListedFormat, distinctOptions, resolvedParams, type Shape } from '../../../core/format.ts';
import { readCells } from '../../../core/cells/edited-cells.ts';
import { type Matrix, rowBuffer } from '../../../core/matrix/index.ts';
import type { BenchReport } from '../../../core/report.ts';
import { seedOf, StandIn } from '../../../generate/stand-in.ts';
import {
  type TimedMatrix,
  fastestRow,
  type FormatQuery,
  hasSameCount,
  shapeReports,
} from '../../../kit/report/matrix-times.ts';
import { substituteOf } from '../../../kit/words/substitute.ts';
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

/** A or B, with its bytes by the closed form: nothing has been opened or encoded yet. */
interface VisitSide {
  readonly format: AnyListedFormat;
  /** resolved for the shape */
  readonly params: FormatParams;
  /** of the whole matrix, by the closed form */
  readonly bytes: number;
}

/** What the first screen says, except for times. */
export interface VisitFacts {
  readonly shape: Shape;
  /** the whole matrix with one token, to look up its times in reports */
  readonly matrix: TimedMatrix;
  /** share of the weights that is left */
  readonly left: number;
  /** bytes of the values that are left */
  readonly leftBytes: number;
  readonly a: VisitSide;
  readonly b: VisitSide;
  /** the weights left in the first row of the window (the part of the matrix on the stage), by their columns in it */
  readonly entries: readonly { readonly column: number; readonly value: number }[];
  /** bytes in A with another share left */
  readonly bytesAt: (left: number) => number;
  /** bits of one slot of A's array: of its value, and of what is stored with it */
  readonly slotBits: number;
  /** the unpruned matrix in the narrowest values that B has; null if B has them already */
  readonly unpruned: { readonly bits: number; readonly bytes: number; readonly params: FormatParams } | null;
}

/** The facts for a document about a pruned matrix of a model; else null. `columns`: how many the picture shows. */
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
  const bytesAt = (share: number): number => expectedBytes(a, share, shape) ?? a.bytes;
  return {
    shape,
    matrix: {
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
    entries: entriesOf(doc, weights).filter(({ column }) => column < columns),
    bytesAt,
    slotBits: Math.round((8 * bytesAt(1)) / (rows * cols)),
    unpruned: unprunedOf(b, shape),
  };
}

/** The first row of the window: of the matrix or, if the person has edited cells, of the edited one. */
function entriesOf({ window, edited }: AppDocument, weights: StandIn): VisitFacts['entries'] {
  const part = window ?? { row: 0, col: 0, rows: 1, cols: weights.cols };
  const editedCells: Matrix | null = edited === null ? null : readCells(edited, part.rows, part.cols);
  const buffer = rowBuffer(weights.cols);
  const n = editedCells?.readRow(0, buffer) ?? weights.readRowPart(part.row, part.col, part.col + part.cols, buffer);
  const from = editedCells ? 0 : part.col;
  return Array.from({ length: n }, (_, i) => ({ column: buffer.columns[i] - from, value: buffer.values[i] }));
}

function unprunedOf({ format, params, bytes: own }: VisitSide, shape: Shape): VisitFacts['unpruned'] {
  const types = paramFields(format.params).flatMap(([name, field]) =>
    name === 'valueType' && field.kind === 'choice' ? distinctOptions(field).map(({ value }) => value) : [],
  );
  const all = types.flatMap((valueType) => {
    const narrow = { ...params, valueType };
    const bytes = expectedBytes({ format, params: narrow }, 1, shape);
    return bytes === null ? [] : [{ bits: valueBits(narrow), bytes: Math.round(bytes), params: narrow }];
  });
  const min = all.reduce<VisitFacts['unpruned']>((best, one) => (best && best.bytes <= one.bytes ? best : one), null);
  return min && min.bytes < own ? min : null;
}

/** The times of A and B at one share left, from one report, in nanoseconds, cold. */
interface TimedShare {
  readonly left: number;
  readonly a: number;
  readonly b: number;
  /** of B in its narrowest values; null if it was not timed */
  readonly unpruned: number | null;
  readonly report: BenchReport;
}

/** Every share left at which A and B were timed on a matrix of this shape, ascending. O(reports × rows). */
export function timedShares(
  reports: readonly BenchReport[],
  { matrix, a, b, unpruned = null }: Pick<VisitFacts, 'matrix' | 'a' | 'b'> & Partial<Pick<VisitFacts, 'unpruned'>>,
): readonly TimedShare[] {
  const [queryA, queryB, queryNarrow] = [
    queryOf(a),
    queryOf(b),
    unpruned && queryOf({ ...b, params: unpruned.params }),
  ];
  const byShare = new Map<string, TimedShare>();
  for (const report of shapeReports(gpuReports(reports), matrix)) {
    const left = report.workload.density;
    const key = left.toPrecision(3);
    const nsOf = (query: FormatQuery | null): number | null =>
      (query && fastestRow(report, query)?.row.medianNs) ?? null;
    const [nsA, nsB] = [nsOf(queryA), nsOf(queryB)];
    if (nsA === null || nsB === null || byShare.has(key)) continue;
    byShare.set(key, { left, a: nsA, b: nsB, unpruned: nsOf(queryNarrow), report });
  }
  return [...byShare.values()].toSorted((x, y) => x.left - y.left);
}

/** The times of A and B at the shown share left. */
export interface VisitTimes extends Omit<TimedShare, 'left'> {
  /** they are of a CPU that simulates a GPU */
  readonly isSoftware: boolean;
  /** A was not timed at this share: its time is interpolated or, beyond the timed shares, follows from the bytes */
  readonly isComputed: boolean;
}

/** The times of A and B at a share left; that of B, dense, does not depend on it. Null without any. `shares` ascend. */
export function timesAt(
  shares: readonly TimedShare[],
  { matrix, bytesAt }: Pick<VisitFacts, 'matrix' | 'bytesAt'>,
  left = matrix.density,
): VisitTimes | null {
  const distance = (share: TimedShare): number => Math.abs(share.left - left);
  const byDistance = shares.toSorted((x, y) => distance(x) - distance(y));
  const near = byDistance.at(0);
  if (!near) return null;
  const matrixAtShare = left === matrix.density ? matrix : { ...matrix, density: left, nnz: Number.NaN };
  const timed = shares.find(({ report }) => hasSameCount(report.workload, matrixAtShare));
  const { report, b } = timed ?? near;
  return {
    a: timed?.a ?? computedNs(shares, near, bytesAt, left),
    b,
    unpruned: byDistance.find(({ unpruned }) => unpruned !== null)?.unpruned ?? null,
    report,
    isSoftware: substituteOf(report) === 'software',
    isComputed: timed === undefined,
  };
}

function computedNs(
  shares: readonly TimedShare[],
  near: TimedShare,
  bytesAt: VisitFacts['bytesAt'],
  left: number,
): number {
  const low = shares.findLast((one) => one.left <= left);
  const high = shares.find((one) => one.left > left);
  if (low && high) return low.a + ((left - low.left) / (high.left - low.left)) * (high.a - low.a);
  const [bytes, nearBytes] = [bytesAt(left), bytesAt(near.left)];
  const { readBandwidthGBps } = near.report;
  const ns = readBandwidthGBps ? near.a + (bytes - nearBytes) / readBandwidthGBps : 0;
  return ns > 0 ? ns : (near.a * bytes) / nearBytes;
}

/** The shares left above which B, and B in its narrowest values, are faster than A; null if there is none. */
export function overtakenAt(
  shares: readonly TimedShare[],
  facts: Pick<VisitFacts, 'matrix' | 'bytesAt'>,
): { readonly b: number | null; readonly unpruned: number | null } {
  const all = Array.from({ length: 101 }, (_, i) => timesAt(shares, facts, i / 100));
  const firstShare = (rival: 'b' | 'unpruned'): number | null => {
    const percent = all.findIndex((times) => times !== null && times.a > (times[rival] ?? Number.POSITIVE_INFINITY));
    return percent <= 0 ? null : percent / 100;
  };
  return { b: firstShare('b'), unpruned: firstShare('unpruned') };
}

/** One of the two formats, to look up its times in reports. */
export function queryOf({ format, params }: Pick<VisitSide, 'format' | 'params'>): FormatQuery {
  return { format: format.id, params, spec: format.params };
}

/** The reports of GPUs, also of simulated ones: the page's sentence names a GPU. */
function gpuReports(reports: readonly BenchReport[]): readonly BenchReport[] {
  return reports.filter((report) => substituteOf(report) !== 'CPU');
}
