import type { BenchReport } from '../../../core/report.ts';
import { type AnyValueType, VALUE_BITS } from '../../../core/number/index.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import type { BenchEntry } from '../../../engine/bench/bench-types.ts';
import { speedOf } from '../../../kit/words/speed-of.ts';
import type { QuantisedLine } from './references.ts';
import type { Stretch } from './winners.ts';

/** A format's speed relative to dense at one density. */
export interface MeasuredSpeed {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly density: number;
  readonly ratio: number;
  readonly p10: number;
  readonly p90: number;
}

interface SpeedQuestion {
  readonly rows: number;
  readonly cols: number;
  readonly valueType: AnyValueType;
}

/** Densities closer than this count as the same. */
const SAME = 0.002;

/**
 * Speeds of y = A x in reports about matrices of this shape, the newest first: of a format at one density the newest
 * report counts, and in it the fastest kernel. For dense, only kernels compared with dense in the requested value type,
 * such as 4 bits. O(rows of reports × speeds).
 */
export function measuredSpeeds(
  reports: readonly BenchReport[],
  { rows, cols, valueType }: SpeedQuestion,
  reference: string,
): readonly MeasuredSpeed[] {
  const found: MeasuredSpeed[] = [];
  for (const { workload, rows: measured } of reports) {
    if (workload.operation !== 'spmv' || workload.rows !== rows || workload.cols !== cols) continue;
    const here: MeasuredSpeed[] = [];
    for (const row of measured) {
      // A draft says nothing about the format itself.
      if (row.draft) continue;
      const speed = speedOf(row);
      const beside = row.format === reference ? speed?.valueType : row.params.valueType;
      if (speed === null || VALUE_BITS[beside as AnyValueType] !== VALUE_BITS[valueType]) continue;
      const at = here.findIndex((s) => s.format === row.format && sameParams(s.params, row.params));
      const point = { format: row.format, params: row.params, density: workload.density, ...pick(speed) };
      if (at < 0) here.push(point);
      else if (here[at].ratio < speed.ratio) here[at] = point;
    }
    for (const point of here) {
      const isKnown = found.some(
        (s) => s.format === point.format && sameParams(s.params, point.params) && near(s.density, point.density),
      );
      if (!isKnown) found.push(point);
    }
  }
  return found.toSorted((a, b) => a.density - b.density);
}

function pick({ ratio, p10, p90 }: { readonly ratio: number; readonly p10: number; readonly p90: number }) {
  return { ratio, p10, p90 };
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME * Math.max(a, b) || Math.abs(a - b) < 1e-6;
}

function sameParams(a: MeasuredSpeed['params'], b: MeasuredSpeed['params']): boolean {
  return Object.entries(a).every(([name, value]) => b[name] === value);
}

/** The measured points of one format with these parameters, ascending in density. */
export function speedsOf(
  speeds: readonly MeasuredSpeed[],
  format: string,
  params: Readonly<Record<string, unknown>>,
): readonly MeasuredSpeed[] {
  return speeds.filter((s) => s.format === format && sameParams(params, s.params));
}

/** Densities missing from a line. */
export interface ComingDots {
  readonly id: string;
  readonly format: string;
  readonly densities: readonly number[];
}

/** A run's entries without those already measured, and without dense in the requested type, the baseline. */
export function comingDots(
  entries: readonly Pick<BenchEntry, 'format' | 'params'>[],
  asked: readonly number[],
  speeds: readonly MeasuredSpeed[],
  quantised: readonly QuantisedLine[],
): readonly ComingDots[] {
  return entries.flatMap(({ format, params }) => {
    const beside = quantised.find(
      ({ variant }) =>
        variant.format.id === format && Object.entries(variant.params).every(([name, value]) => params[name] === value),
    );
    if (format === referenceFormat.id && !beside) return [];
    const own = speedsOf(speeds, format, params);
    const densities = asked.filter((d) => !own.some((s) => Math.abs(s.density - d) < 0.004));
    return [{ id: beside?.variant.key ?? format, format, densities }];
  });
}

/**
 * Two neighbouring measurements that are further apart say nothing about what lies between them: nothing is interpolated
 * there, and nothing drawn.
 */
const MAX_STEP = 0.4;

/** The points in runs without a gap, see `MAX_STEP`. */
export function runsWithoutGap<T extends Pick<MeasuredSpeed, 'density'>>(
  points: readonly T[],
): readonly (readonly T[])[] {
  const runs: T[][] = [];
  for (const [i, point] of points.entries()) {
    if (i === 0 || isGap(points[i - 1].density, point.density)) runs.push([]);
    runs[runs.length - 1].push(point);
  }
  return runs;
}

function isGap(low: number, high: number): boolean {
  return high - low > MAX_STEP + 1e-9;
}

/**
 * Speed between two measured densities, interpolated linearly in its logarithm; null outside of them, and between two
 * that are too far apart.
 */
export function speedAt(points: readonly MeasuredSpeed[], density: number): number | null {
  const above = points.findIndex((p) => p.density >= density - 1e-9);
  if (above <= 0) {
    // A generated matrix has almost the density that was asked for.
    const end = points.at(above);
    return end !== undefined && near(end.density, density) ? end.ratio : null;
  }
  const high = points[above];
  const low = points[above - 1];
  if (Math.abs(high.density - density) < 1e-9) return high.ratio;
  if (isGap(low.density, high.density)) {
    if (near(low.density, density)) return low.ratio;
    return near(high.density, density) ? high.ratio : null;
  }
  const share = (density - low.density) / (high.density - low.density);
  return Math.exp(Math.log(low.ratio) * (1 - share) + Math.log(high.ratio) * share);
}

/** Whether a density lies between two measurements that are too far apart. */
function isInGap(points: readonly MeasuredSpeed[], density: number): boolean {
  const isBetween = density > points[0].density && density < points[points.length - 1].density;
  return isBetween && speedAt(points, density) === null;
}

/**
 * The fastest between the least and the largest measured density: `reference` if none exceeds 1. Sampled every `step`;
 * boundaries between two samples are bisected. Where a line has a gap nothing is said. Empty with fewer than two densities.
 */
export function fastestAlong(
  lines: readonly { readonly name: string; readonly points: readonly MeasuredSpeed[] }[],
  reference: string,
  step = 0.005,
): readonly Stretch<string>[] {
  const densities = lines.flatMap(({ points }) => points.map((p) => p.density)).toSorted((a, b) => a - b);
  const [low] = densities;
  const high = densities.at(-1);
  if (high === undefined || high - low < step) return [];
  const winnerAt = (density: number): string | null => {
    let best = reference;
    let max = 1;
    let isKnown = false;
    for (const { name, points } of lines) {
      if (points.length === 0) continue;
      const ratio = speedAt(points, density);
      if (ratio === null) {
        if (isInGap(points, density)) return null;
        continue;
      }
      isKnown = true;
      if (ratio > max) {
        best = name;
        max = ratio;
      }
    }
    return isKnown ? best : null;
  };
  const stretches: Stretch<string>[] = [];
  let from = low;
  let winner = winnerAt(low);
  let before: string | null = null;
  const end = (to: number, next: string | null): void => {
    // A single measurement next to a gap is no stretch.
    const isDot = to - from < step && (before === null || next === null);
    if (winner !== null && !isDot) stretches.push({ from, to, winner });
    before = winner;
  };
  const places = Math.ceil((high - low) / step);
  for (let i = 1; i <= places; i++) {
    const density = Math.min(high, low + i * step);
    const next = winnerAt(density);
    if (next === winner) continue;
    let [a, b] = [density - step, density];
    while (b - a > 1e-5) {
      const middle = (a + b) / 2;
      if (winnerAt(middle) === winner) a = middle;
      else b = middle;
    }
    end(b, next);
    from = b;
    winner = next;
  }
  end(high, null);
  return stretches;
}
