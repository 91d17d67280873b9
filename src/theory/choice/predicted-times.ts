import type { Shape } from '../../core/format.ts';
import { isNearDensity } from '../../core/matrix/index.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';

/* Times of a product with one vector on shapes and densities that were not measured, from those that were. */

/** A measured time of a format on a random matrix, cold, for one token. */
interface TimeAtDensity {
  readonly density: number;
  /** median over rounds */
  readonly ns: number;
  /** half of the range from p10 to p90 of the rounds, as a share of `ns` */
  readonly spread: number;
}

/** The measured times of one shape of matrix, ascending in density, each density once. */
export interface TimedShape extends Shape {
  readonly times: readonly TimeAtDensity[];
}

/** The measured times of a format with one set of parameters on one device. */
export interface TimedFormat {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly shapes: readonly TimedShape[];
}

/** A time, and how far the real one may be from it. */
export interface PredictedTime {
  readonly ns: number;
  /** as a share of `ns`: of the rounds if it was measured on this shape and density, else see `SPREADS` */
  readonly spread: number;
  readonly from: 'measured' | 'interpolated' | 'extrapolated';
}

/**
 * Errors of predictions as shares of the time: 9 of 10 times of the delivered recordings, each predicted from the
 * others, are within these (predicted-times.test.ts).
 */
const SPREADS = { interpolated: 0.15, extrapolated: 0.3 } as const;

/** How far outside the measured densities a time is extended, as a share of the nearest one. */
const MAX_EXTENSION = 0.25;

/** How far outside the measured sizes a time is extended, as a factor of the cells. */
const MAX_GROWTH = 16;

/**
 * The times in reports of one device, newest first: for each format, shape and density the fastest correct kernel in
 * the newest report that has any. O(rows of all reports).
 */
export function timedFormats(reports: readonly BenchReport[]): readonly TimedFormat[] {
  const formats = new Map<string, { format: string; params: BenchRow['params']; shapes: Map<string, ShapeTimes> }>();
  for (const report of reports) {
    const { workload } = report;
    if (!isOneTokenOnRandom(report)) continue;
    for (const row of report.rows) {
      if (row.draft || !row.verified.ok || !row.medianNs || row.where !== 'gpu') continue;
      const ns = row.medianNs;
      const format = entryOf(formats, `${row.format} ${JSON.stringify(row.params)}`, () => ({
        format: row.format,
        params: row.params,
        shapes: new Map<string, ShapeTimes>(),
      }));
      const { rows, cols, density } = workload;
      const shape = entryOf<ShapeTimes>(format.shapes, `${rows}x${cols}`, () => ({ rows, cols, times: [] }));
      // A time of a newer report stays; in one report the fastest kernel counts.
      const known = shape.times.find((time) => isNearDensity(time.density, density));
      if (known && (known.report !== report || known.ns <= ns)) continue;
      const time = { density, ns, spread: ((row.p90Ns ?? ns) - (row.p10Ns ?? ns)) / (2 * ns), report };
      shape.times = [...shape.times.filter((one) => one !== known), time];
    }
  }
  return [...formats.values()].map(({ format, params, shapes }) => ({
    format,
    params,
    shapes: [...shapes.values()].map(({ rows, cols, times }) => ({
      rows,
      cols,
      times: times
        .map(({ density, ns, spread }) => ({ density, ns, spread }))
        .toSorted((a, b) => a.density - b.density),
    })),
  }));
}

/** The times of a shape while reports are read; `report`: where a time is from. */
interface ShapeTimes extends Shape {
  times: readonly (TimeAtDensity & { readonly report: BenchReport })[];
}

/** The value of a key, which is created and added if it is missing. */
function entryOf<V>(map: Map<string, V>, key: string, create: () => V): V {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

/** Whether a report timed one token on a random matrix that was in no cache, on a GPU. */
function isOneTokenOnRandom({ environment, workload: { source, operation, sizes, memory } }: BenchReport): boolean {
  const isRandom = source.startsWith('uniform, ') || source.startsWith('n-of-m, ');
  return isRandom && operation === 'spmv' && (sizes?.tokens ?? 1) === 1 && memory === 'cold' && !environment.isFallback;
}

/**
 * The time of a format on a shape and density: measured there, or between measured densities (linear) and then between
 * measured shapes (linear in cells; tall matrices from tall and square ones, wide from wide and square ones). Null if
 * it is too far from every measured one. `isConstant`: the time does not depend on the density. O(times).
 */
export function predictedTime(
  shapes: readonly TimedShape[],
  { rows, cols }: Shape,
  density: number,
  isConstant: boolean,
): PredictedTime | null {
  const cells = rows * cols;
  const sizes: { readonly shape: Shape; readonly cells: number; readonly time: PredictedTime }[] = [];
  for (const shape of shapes) {
    const time = timeAtDensity(shape, density, isConstant);
    if (time && shape.rows === rows && shape.cols === cols) return time;
    if (time) sizes.push({ shape, cells: shape.rows * shape.cols, time });
  }
  /** tall shapes for a tall matrix, wide ones for a wide one, and square ones for both */
  const similar = sizes.filter(({ shape }) => (shape.rows - shape.cols) * (rows - cols) >= 0);
  const usable = (similar.length > 1 ? similar : sizes).toSorted((a, b) => a.cells - b.cells);
  const [first] = usable;
  const last = usable.at(-1);
  if (!first || !last) return null;
  const isOutside = cells < first.cells || cells > last.cells;
  const isFar = cells > last.cells * MAX_GROWTH || cells * MAX_GROWTH < first.cells;
  // Sizes that are almost equal do not tell how a time grows.
  if (isOutside && (isFar || last.cells < 2 * first.cells)) return null;
  const from = isOutside || usable.some(({ time }) => time.from === 'extrapolated') ? 'extrapolated' : 'interpolated';
  const ns = lineThrough(
    usable.map((size) => [size.cells, size.time.ns]),
    cells,
  );
  return { ns, spread: SPREADS[from], from };
}

/** The time on a measured shape at a density; null if it is too far from all measured ones. */
function timeAtDensity({ times }: TimedShape, density: number, isConstant: boolean): PredictedTime | null {
  const exact = times.find((time) => isConstant || isNearDensity(time.density, density));
  if (exact) return { ns: exact.ns, spread: exact.spread, from: 'measured' };
  const [first] = times;
  const last = times.at(-1);
  if (!first || !last || times.length === 1) return null;
  const end = density < first.density ? first : density > last.density ? last : null;
  if (end && Math.abs(density - end.density) > MAX_EXTENSION * end.density) return null;
  const ns = lineThrough(
    times.map((time) => [time.density, time.ns]),
    density,
  );
  const from = end ? 'extrapolated' : 'interpolated';
  return { ns, spread: SPREADS[from], from };
}

/**
 * The value at `x` of the line through points that ascend in x, straight between neighbours. Outside them the last
 * stretch is continued, but a value is never below that of the first point times x / its x. Points with equal x count
 * as one, with their mean.
 */
function lineThrough(points: readonly (readonly [x: number, y: number])[], x: number): number {
  const merged = points.flatMap(([at, y], i) => {
    if (i > 0 && points[i - 1][0] === at) return [];
    const equal = points.filter((point) => point[0] === at);
    return [[at, equal.length === 1 ? y : equal.reduce((sum, point) => sum + point[1], 0) / equal.length] as const];
  });
  const [[firstX, firstY]] = merged;
  const floor = (firstY * Math.min(x, firstX)) / firstX;
  const above = merged.findIndex((point) => point[0] >= x);
  const i = Math.max(1, above < 0 ? merged.length - 1 : above);
  const [[lowX, lowY], [highX, highY]] = [merged[i - 1], merged[i]];
  return Math.max(floor, lowY + ((highY - lowY) * (x - lowX)) / (highX - lowX));
}
