import { turningPoint } from '../../../theory/crossings.ts';
import { type MeasuredSpeed, speedAt } from './measured-speeds.ts';

/** A range of densities in which one format is the fastest. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly winner: string;
}

/** Whether a density lies in a gap: between two measurements that are too far apart to interpolate. */
function isInGap(points: readonly MeasuredSpeed[], density: number): boolean {
  const isBetween = density > points[0].density && density < points[points.length - 1].density;
  return isBetween && speedAt(points, density) === null;
}

/** The distance between densities at which the winner is looked up. */
const STEP = 0.005;

/**
 * The titles of the fastest formats, by density; `reference` where no speed relative to it exceeds 1. Sampled every
 * `STEP`; boundaries between two samples are bisected. No format wins in a gap. Empty with fewer than two densities.
 */
export function fastestAlong(
  lines: readonly { readonly title: string; readonly points: readonly MeasuredSpeed[] }[],
  reference: string,
): readonly Stretch[] {
  const densities = lines.flatMap(({ points }) => points.map((p) => p.density)).toSorted((a, b) => a - b);
  const [low] = densities;
  const high = densities.at(-1);
  if (high === undefined || high - low < STEP) return [];
  const winnerAt = (density: number): string | null => {
    let fastest = reference;
    let maxRatio = 1;
    let hasSpeed = false;
    for (const { title, points } of lines) {
      if (points.length === 0) continue;
      const ratio = speedAt(points, density);
      if (ratio === null) {
        if (isInGap(points, density)) return null;
        continue;
      }
      hasSpeed = true;
      if (ratio > maxRatio) {
        fastest = title;
        maxRatio = ratio;
      }
    }
    return hasSpeed ? fastest : null;
  };
  const stretches: Stretch[] = [];
  let from = low;
  let winner = winnerAt(low);
  let previousWinner: string | null = null;
  /** Ends the stretch of the current winner, which `next` follows. */
  const endStretch = (to: number, next: string | null): void => {
    // A single measurement next to a gap is no stretch.
    const isDot = to - from < STEP && (previousWinner === null || next === null);
    if (winner !== null && !isDot) stretches.push({ from, to, winner });
    previousWinner = winner;
  };
  const samples = Math.ceil((high - low) / STEP);
  for (let i = 1; i <= samples; i++) {
    const density = Math.min(high, low + i * STEP);
    const next = winnerAt(density);
    if (next === winner) continue;
    const boundary = turningPoint((d) => winnerAt(d) !== winner, density - STEP, density);
    endStretch(boundary, next);
    from = boundary;
    winner = next;
  }
  endStretch(high, null);
  return stretches;
}
