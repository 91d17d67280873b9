// The headline of the tab Quality.

import type { Words } from '../../../../src/core/text/words.ts';
import { say, strong } from '../../../../src/core/text/words.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { curveOf, denseOf, type QualityPoint, unbrokenText } from './points.ts';

/** A share of unbroken tales counts as lower if it is this many standard errors lower; by chance, 5 % are. */
const LOWER_BY_ERRORS = 1.645;

/** Below this share of unbroken tales, even the dense model breaks nearly all; pruning has nothing left to break. */
const MIN_UNBROKEN = 0.05;

/**
 * The headline about pruning: down to which share of weights the tales (short stories) show no loss, the loss at the
 * next point, and where every tale breaks a law (a rule, such as of spelling or of the plot, that a judge checks). Null
 * until a dense and a pruned model are measured; where tales cannot show a loss, until one with half of its weights is.
 */
export function qualityAnswer(points: readonly QualityPoint[], bytesPerTale: number): readonly Words[] | null {
  const dense = denseOf(points);
  const curve = curveOf(points, 'wanda').filter((p) => p !== dense);
  if (!dense || curve.length === 0) return null;
  const judged = curve.filter((p) => p.judged > 0);
  if (dense.judged === 0 || judged.length === 0) return lostWords('the model', curve, dense, bytesPerTale);
  if (dense.unbroken / dense.judged < MIN_UNBROKEN) {
    const count = `${dense.unbroken === 0 ? 'none' : dense.unbroken} of ${dense.judged}`;
    const lost = lostWords('it', curve, dense, bytesPerTale);
    return lost && [...say`Even dense, few tales are free of errors: ${strong(count)}. `, ...lost];
  }
  const harmless = lastHarmless(judged, dense);
  const first = harmless
    ? say`Down to ${densityText(harmless.density)} left, ${harmless.judged} tales show no loss. `
    : [];
  // The first point with a visible loss, or the last one if there is none.
  const firstLoss = harmless ? judged.indexOf(harmless) + 1 : 0;
  const shown = judged[firstLoss] ?? judged[judged.length - 1];
  const allBroken = judged.find((p) => p.unbroken === 0);
  const ofDense = unbrokenText(dense);
  const loss =
    shown.unbroken === 0
      ? `every tale has an error (unpruned ${ofDense} have none)` // '(unpruned 49 of 100 have none)'
      : `${unbrokenText(shown)} tales have no error (unpruned: ${ofDense.replace(/ of 100$/, '')})`; // '(unpruned: 49)'
  const isSparser = allBroken !== undefined && allBroken.density < shown.density;
  const end = isSparser ? `; with ${densityText(allBroken.density)}, every tale has one.` : '.';
  return [...first, ...say`With ${densityText(shown.density)} of the weights ${strong(loss)}${end}`];
}

/**
 * The bits per tale above the floor (the least possible) with half of the weights, used if the tales cannot show a
 * loss: none were judged, or nearly all have errors even in the dense model.
 */
function lostWords(
  who: string,
  curve: readonly QualityPoint[],
  dense: QualityPoint,
  bytesPerTale: number,
): readonly Words[] | null {
  const half = curve.find((p) => p.density === 0.5);
  if (!half) return null;
  const lost = (p: QualityPoint): string => bitsText(p.excessBits * bytesPerTale);
  return say`With half of its weights (Wanda), ${who} needs ${strong(`${lost(half)} bits per tale`)} more than the best possible; dense, ${lost(dense)} more.`;
}

function bitsText(bits: number): string {
  return bits < 99.95 ? bits.toFixed(1) : bits.toFixed(0);
}

/** The sparsest point of a curve down to which the share of unbroken tales is not visibly below the dense one. */
function lastHarmless(curve: readonly QualityPoint[], dense: QualityPoint): QualityPoint | null {
  let last: QualityPoint | null = null;
  for (const point of curve) {
    if (point === dense) continue;
    const [p, q] = [point.unbroken / point.judged, dense.unbroken / dense.judged];
    const error = Math.sqrt((p * (1 - p)) / point.judged + (q * (1 - q)) / dense.judged);
    if (q - p > LOWER_BY_ERRORS * error) break;
    last = point;
  }
  return last;
}

/** Whether 4 bits for every weight lose no more than any measured pruning to as few bytes; false without one. */
export function isI4Best(points: readonly QualityPoint[]): boolean {
  const i4 = points.find((p) => p.method === 'none' && p.valueType === 'i4');
  if (!i4) return false;
  const rivals = points.filter((p) => p.method !== 'none' && p.trained === 0 && p.bytesShare <= i4.bytesShare);
  return rivals.length > 0 && rivals.every((p) => p.excessBits >= i4.excessBits);
}
