import { type AnyListedFormat, distinctOptions, resolvedParams, type Shape } from '../../../core/format.ts';
import { readCells } from '../../../core/cells/cells-text.ts';
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
  readonly asked: TimedMatrix;
  /** share of the weights that is left */
  readonly left: number;
  /** bytes of the values that are left */
  readonly leftBytes: number;
  readonly a: VisitSide;
  readonly b: VisitSide;
  /** weights of the cut's first row that are left, or were switched on, by their columns within the cut */
  readonly entries: readonly { readonly column: number; readonly value: number }[];
  /** bytes in A with another share left */
  readonly bytesAt: (left: number) => number;
  /** of one place in A's array, with what is stored beside its value */
  readonly placeBits: number;
  /** The whole matrix in the narrowest values that B has, where those are narrower. */
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
  const bytesAt = (share: number): number => expectedBytes(a, share, shape) ?? a.bytes;
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
    entries: entriesOf(doc, weights).filter(({ column }) => column < columns),
    bytesAt,
    placeBits: Math.round((8 * bytesAt(1)) / (rows * cols)),
    unpruned: unprunedOf(b, shape),
  };
}

/** The first row of the cut: of the matrix, or as a person has switched its cells. */
function entriesOf({ window, edited }: AppDocument, weights: StandIn): VisitFacts['entries'] {
  const cut = window ?? { row: 0, col: 0, rows: 1, cols: weights.cols };
  const own: Matrix | null = edited === null ? null : readCells(edited, cut.rows, cut.cols);
  const buffer = rowBuffer(weights.cols);
  const n = own?.readRow(0, buffer) ?? weights.readRowPart(cut.row, cut.col, cut.col + cut.cols, buffer);
  const from = own ? 0 : cut.col;
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

/** Times of both formats in one report, in nanoseconds, cold. */
interface TimedShare {
  readonly left: number;
  readonly a: number;
  readonly b: number;
  /** of B in its narrowest values; null where it was not timed there */
  readonly unpruned: number | null;
  readonly report: BenchReport;
}

/** Every share at which both were timed on a matrix of this shape, ascending. O(reports × rows). */
export function timedShares(
  reports: readonly BenchReport[],
  { asked, a, b, unpruned = null }: Pick<VisitFacts, 'asked' | 'a' | 'b'> & Partial<Pick<VisitFacts, 'unpruned'>>,
): readonly TimedShare[] {
  const [ofA, ofB, ofNarrow] = [queryOf(a), queryOf(b), unpruned && queryOf({ ...b, params: unpruned.params })];
  const found = new Map<string, TimedShare>();
  for (const report of shapeReports(gpuReports(reports), asked)) {
    const left = report.workload.density;
    const key = left.toPrecision(3);
    const nsOf = (query: FormatQuery | null): number | null =>
      (query && fastestRow(report, query)?.row.medianNs) ?? null;
    const [nsA, nsB] = [nsOf(ofA), nsOf(ofB)];
    if (nsA === null || nsB === null || found.has(key)) continue;
    found.set(key, { left, a: nsA, b: nsB, unpruned: nsOf(ofNarrow), report });
  }
  return [...found.values()].toSorted((one, other) => one.left - other.left);
}

/** What the formats take at one share. */
export interface VisitTimes extends Omit<TimedShare, 'left'> {
  /** of a CPU that plays a GPU */
  readonly isSoftware: boolean;
  /** A was not timed with this share left: its time is on the line between two, or beyond them by what is read more */
  readonly isComputed: boolean;
}

/** Times where a share is left; dense ones do not depend on it. Null without any. `shares` ascend. */
export function timesAt(
  shares: readonly TimedShare[],
  { asked, bytesAt }: Pick<VisitFacts, 'asked' | 'bytesAt'>,
  left = asked.density,
): VisitTimes | null {
  const distance = (one: TimedShare): number => Math.abs(one.left - left);
  const byDistance = shares.toSorted((one, other) => distance(one) - distance(other));
  const near = byDistance.at(0);
  if (!near) return null;
  const there = left === asked.density ? asked : { ...asked, density: left, nnz: Number.NaN };
  const timed = shares.find(({ report }) => hasSameCount(report.workload, there));
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
  const [bytes, before] = [bytesAt(left), bytesAt(near.left)];
  const { readBandwidthGBps } = near.report;
  const ns = readBandwidthGBps ? near.a + (bytes - before) / readBandwidthGBps : 0;
  return ns > 0 ? ns : (near.a * bytes) / before;
}

/** The shares, of a hundred, from which on B, or B in its narrowest values, takes less than A; null where it never does. */
export function overtakenAt(
  shares: readonly TimedShare[],
  facts: Pick<VisitFacts, 'asked' | 'bytesAt'>,
): { readonly b: number | null; readonly unpruned: number | null } {
  const all = Array.from({ length: 101 }, (_, i) => timesAt(shares, facts, i / 100));
  const first = (of: 'b' | 'unpruned'): number | null => {
    const at = all.findIndex((times) => times !== null && times.a > (times[of] ?? Number.POSITIVE_INFINITY));
    return at <= 0 ? null : at / 100;
  };
  return { b: first('b'), unpruned: first('unpruned') };
}

/** One of the two formats, as reports are asked for it. */
export function queryOf({ format, params }: Pick<VisitSide, 'format' | 'params'>): FormatQuery {
  return { format: format.id, params, spec: format.params };
}

/** Those of GPUs alone, if only in software: the sentence is about one. */
function gpuReports(reports: readonly BenchReport[]): readonly BenchReport[] {
  return reports.filter((report) => substituteOf(report) !== 'CPU');
}
