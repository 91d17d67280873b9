import type { BenchReport, BenchRow, Workload } from '../../core/report.ts';
import { speedOf, speedRange } from '../words/speed-of.ts';
import { REFERENCE_FORMAT } from '../../state/index.ts';
import { sizeLabel, ACTIVATION_OPERATIONS } from './operation-words.ts';
import {
  comparedValueType,
  isReference,
  limitRatio,
  hasArithmeticLimits,
  referenceOf,
  sortedRows,
  speedIn,
  type TitleOf,
} from './report-view.ts';

/** The quantity that varies between the benchmark reports of a sweep: the x axis of its chart. */
export interface SweepAxis {
  readonly of: 'density' | 'non-zeros' | 'size' | 'param';
  /** name of the size or parameter; else 'density' or 'non-zeros' */
  readonly name: string;
  readonly title: string;
}

/** One measurement of a sweep: a speed against dense at one position of its axis. */
export interface SweepPoint {
  /** density, mean non-zeros of a row, size, or index among the values of a parameter */
  readonly x: number;
  /** the time of dense divided by the format's, and its range over rounds */
  readonly ratio: number;
  readonly p10: number;
  readonly p90: number;
  /** the highest ratio that the bytes, and the multiply-adds if known, allow */
  readonly limit: number;
  /** the format's parameters in the row of the report */
  readonly params: BenchRow['params'];
}

/** The points of one format along an axis, by rising x. Not empty. */
export interface SweepSeries {
  readonly format: string;
  /** for dense that is compared with dense in another value type: its own, such as 'i4'; null for other formats */
  readonly valueType: string | null;
  readonly points: readonly SweepPoint[];
}

/** Reports that differ along one axis only. */
export interface Sweep {
  readonly axis: SweepAxis;
  /** by rising position on the axis */
  readonly reports: readonly BenchReport[];
  readonly series: readonly SweepSeries[];
  /** whether the limit of any point includes multiply-adds */
  readonly arithmetic: boolean;
}

/** A density rounded for comparison and display: generated matrices miss the requested density slightly. */
function densityOf({ density }: Workload): number {
  return Number(density.toPrecision(3));
}

/** The position of a report on an axis of reports. */
export function positionOf(axis: SweepAxis, { workload }: BenchReport): number {
  if (axis.of === 'density') return densityOf(workload);
  if (axis.of === 'non-zeros') return Number((workload.nnz / Math.max(1, workload.rows)).toPrecision(3));
  return workload.sizes?.[axis.name] ?? 0;
}

/** The axis of sparsity for an operation: non-zeros per token for sparse activations, density for sparse weights. */
function sparsityAxis(operation: string): SweepAxis {
  return ACTIVATION_OPERATIONS.includes(operation)
    ? { of: 'non-zeros', name: 'non-zeros', title: 'non-zeros per token' }
    : { of: 'density', name: 'density', title: '% left' };
}

/** A key without the value on the axis: equal for two reports that differ along the axis only. */
function keyWithoutAxis(axis: SweepAxis, { workload, environment, rows }: BenchReport): string {
  const { operation, rows: height, cols, memory, sizes = {} } = workload;
  const others = Object.entries(sizes).filter(([name]) => axis.of !== 'size' || name !== axis.name);
  const density = axis.of === 'density' || axis.of === 'non-zeros' ? null : densityOf(workload);
  return JSON.stringify([operation, height, cols, memory, others, density, environment.adapter, rows[0]?.where]);
}

/**
 * The reports that differ from `visible` along one axis only, with `visible`; null if there are fewer than two. If several
 * axes are possible, the axis with the most reports: `reports` may come from more than one sweep.
 */
export function sweepOf(reports: readonly BenchReport[], visible: BenchReport): Sweep | null {
  const { operation, sizes = {} } = visible.workload;
  const axes: SweepAxis[] = [
    sparsityAxis(operation),
    ...Object.keys(sizes).map((name): SweepAxis => ({ of: 'size', name, title: sizeLabel(operation, name) })),
  ];
  let best: Sweep | null = null;
  for (const axis of axes) {
    const reportsByPosition = new Map<number, BenchReport>();
    const key = keyWithoutAxis(axis, visible);
    for (const report of reports) {
      if (keyWithoutAxis(axis, report) === key) reportsByPosition.set(positionOf(axis, report), report);
    }
    if (reportsByPosition.size < 2 || reportsByPosition.size <= (best?.reports.length ?? 0)) continue;
    const sorted = [...reportsByPosition.entries()].toSorted(([a], [b]) => a - b).map(([, report]) => report);
    best = { axis, reports: sorted, series: seriesOf(axis, sorted), arithmetic: sorted.some(hasArithmeticLimits) };
  }
  return best;
}

/** One series per format, of its fastest correct row in each report; then the reference in other value types. */
function seriesOf(axis: SweepAxis, reports: readonly BenchReport[]): readonly SweepSeries[] {
  const all = new Map<string, SweepSeries & { readonly points: SweepPoint[] }>();
  for (const report of reports) {
    const seen = new Set<string>();
    for (const row of sortedRows(report)) {
      const point = pointOf(report, row, positionOf(axis, report));
      if (row.draft) continue;
      const valueType = comparedValueType(row);
      const key = `${row.format} ${valueType ?? ''}`;
      if (!point || seen.has(key)) continue;
      seen.add(key);
      const series = all.get(key);
      if (series) series.points.push(point);
      else all.set(key, { format: row.format, valueType, points: [point] });
    }
  }
  return [...all.values()].toSorted((a, b) => Number(a.valueType !== null) - Number(b.valueType !== null));
}

/** The title of a series: 'MACKO', 'dense in i4'. */
export function seriesTitle({ format, valueType }: SweepSeries, titleOf: TitleOf): string {
  return valueType === null ? titleOf(format) : `${titleOf(format)} in ${valueType}`;
}

/** A row as a point of a chart at x; null if it is incorrect, is a reference, or was not compared. */
export function pointOf(report: BenchReport, row: BenchRow, x: number): SweepPoint | null {
  const reference = referenceOf(report, row);
  const speed = speedIn(report, row);
  if (!speed || !row.verified.ok || isReference(row) || !reference) return null;
  const { ratio } = speed;
  const [p10, p90] = speedRange(speed);
  return { x, ratio, p10, p90, limit: limitRatio(report, reference, row), params: row.params };
}

/** Rows of one report with one format and several values of one parameter, all timed in the same rounds. */
export interface ParamSweep {
  readonly axis: SweepAxis;
  readonly format: string;
  /** the values in the order of the report; a point's x is an index into them */
  readonly values: readonly unknown[];
  /** the fastest correct row of each value; undefined if it has no time */
  readonly rows: readonly (BenchRow | undefined)[];
  readonly points: readonly SweepPoint[];
  readonly arithmetic: boolean;
}

/** Parameters with more values make no chart. */
const MAX_VALUES = 200;

/** Every format of a report that was timed with two or more values of one parameter, and equal other parameters. */
export function paramSweepsOf(report: BenchReport): readonly ParamSweep[] {
  const formats = new Set(report.rows.map((row) => row.format).filter((format) => format !== REFERENCE_FORMAT));
  return [...formats].flatMap((format) => {
    const rows = sortedRows(report).filter(
      (row) => row.format === format && !row.draft && row.verified.ok && speedOf(row) !== null,
    );
    const names = Object.keys(rows[0]?.params ?? {}).filter((name) => valuesOf(rows, name).length > 1);
    const [name] = names;
    if (name === undefined || names.length > 1) return [];
    const values = valuesOf(rows, name).toSorted(byValue);
    if (values.length > MAX_VALUES) return [];
    const best = values.map((value) => rows.find((row) => row.params[name] === value));
    const points = best.flatMap((row, x) => (row ? [pointOf(report, row, x)] : [])).filter((p) => p !== null);
    const axis: SweepAxis = { of: 'param', name, title: name };
    return [{ axis, format, values, rows: best, points, arithmetic: hasArithmeticLimits(report) }];
  });
}

function valuesOf(rows: readonly BenchRow[], name: string): readonly unknown[] {
  return [...new Set(rows.map((row) => row.params[name]))];
}

function byValue(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : 0;
}

/** The x at which a series is as fast as dense, and the side of x on which it is faster. */
export interface BreakEven {
  readonly at: number;
  readonly faster: 'below' | 'above';
}

/**
 * The x at which the ratio of a series crosses 1, interpolated in the logarithm of the ratio and, on a logarithmic
 * axis, of x; null if it never does. With several crossings, the crossing at the highest x.
 */
export function breakEven(points: readonly SweepPoint[], scale: 'linear' | 'log'): BreakEven | null {
  const toScale = scale === 'log' ? Math.log : (x: number): number => x;
  const fromScale = scale === 'log' ? Math.exp : (x: number): number => x;
  for (let i = points.length - 1; i > 0; i--) {
    const low = points[i - 1];
    const high = points[i];
    if (low.ratio >= 1 === high.ratio >= 1) continue;
    const t = Math.log(low.ratio) / (Math.log(low.ratio) - Math.log(high.ratio));
    const at = fromScale(toScale(low.x) + t * (toScale(high.x) - toScale(low.x)));
    return { at, faster: low.ratio >= 1 ? 'below' : 'above' };
  }
  return null;
}
