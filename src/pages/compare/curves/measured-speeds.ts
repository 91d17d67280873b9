import type { BenchReport } from '../../../core/report.ts';
import { speedRange } from '../../../kit/words/speed-of.ts';
import { MAX_STEP } from '../../../kit/report/crossover-text.ts';
import { type TimedMatrix, type FormatQuery, speedsOnShape } from '../../../kit/report/matrix-times.ts';

/** A format's measured speed relative to dense (`ratio`) at one density, and its range over rounds, p10 to p90. */
export interface MeasuredSpeed {
  readonly density: number;
  readonly ratio: number;
  readonly p10: number;
  readonly p90: number;
}

/** Densities closer than this count as the same, relative to the larger one. */
const SAME_DENSITY = 0.002;

/** A format's speeds on a shape against `reference`, ascending in density: the same as on the page Measure. */
export function measuredSpeeds(
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
  format: FormatQuery,
  reference: FormatQuery,
): readonly MeasuredSpeed[] {
  return speedsOnShape(reports, matrix, format, reference).map((point) => {
    const [p10, p90] = speedRange(point);
    return { density: point.density, ratio: point.ratio, p10, p90 };
  });
}

function isSameDensity(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_DENSITY * Math.max(a, b) || Math.abs(a - b) < 1e-6;
}

/** Splits points at gaps: within a run, neighbours are at most `MAX_STEP` apart. */
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

/** Speed at a density, by linear interpolation of its logarithm; null outside the measured range, and in a gap. */
export function speedAt(points: readonly MeasuredSpeed[], density: number): number | null {
  const above = points.findIndex((p) => p.density >= density - 1e-9);
  if (above <= 0) {
    // A generated matrix has almost the requested density.
    const end = points.at(above);
    return end !== undefined && isSameDensity(end.density, density) ? end.ratio : null;
  }
  const high = points[above];
  const low = points[above - 1];
  if (Math.abs(high.density - density) < 1e-9) return high.ratio;
  if (isGap(low.density, high.density)) {
    if (isSameDensity(low.density, density)) return low.ratio;
    return isSameDensity(high.density, density) ? high.ratio : null;
  }
  const share = (density - low.density) / (high.density - low.density);
  return Math.exp(Math.log(low.ratio) * (1 - share) + Math.log(high.ratio) * share);
}

/** Speeds of dense, extended over a range of densities: dense stores every cell, so its time is constant. */
export function extendedTo(
  points: readonly MeasuredSpeed[],
  [low, high]: readonly [number, number],
): readonly MeasuredSpeed[] {
  const first = points.at(0);
  const last = points.at(-1);
  if (!first || !last) return [];
  const all = [
    ...(low < first.density ? [{ ...first, density: low }] : []),
    ...points,
    ...(high > last.density ? [{ ...last, density: high }] : []),
  ];
  return all.flatMap((point, i) => {
    const step = (all.at(i + 1) ?? point).density - point.density;
    // Points in between, so that no step is a gap.
    const parts = Math.max(1, Math.ceil(step / (MAX_STEP / 2)));
    return Array.from({ length: parts }, (_, part) => ({ ...point, density: point.density + (part * step) / parts }));
  });
}
