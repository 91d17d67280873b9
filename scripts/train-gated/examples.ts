// Gallery examples of gate activations: networks trained with and without an L1 term.

import { type Example, npyExample } from '../train-digits/examples.ts';
import { type GatedResult, HIDDEN, MODEL, TOKENS } from './train.ts';

/** Coefficients of the L1 term of the networks whose activations are shipped. */
export const COEFFICIENTS: readonly number[] = [0, 3e-3, 1e-2, 3e-2];

/** Coefficients of further networks: docs/examples.md lists their results, but no file is written. */
export const TABLE_ONLY: readonly number[] = [1e-3, 1e-1];

/** Initial window, by coefficient: tokens that fire few, none and many of the neurons. */
const FIRST_WINDOWS: ReadonlyMap<number, { readonly row: number; readonly col: number }> = new Map([
  [1e-2, { row: 64, col: 672 }],
  [3e-2, { row: 94, col: 712 }],
]);

/** The gate activations of the networks as examples. The first network must be the one without an L1 term. */
export function gatedExamples(results: readonly GatedResult[]): readonly Example[] {
  const [baseline] = results;
  return results.map((result) => {
    const start = FIRST_WINDOWS.get(result.l1);
    return npyExample(
      {
        id: result.l1 === 0 ? 'digits-gate' : `digits-gate-l1-${result.l1.toExponential()}`,
        holds: 'activations',
        name: result.l1 === 0 ? 'Digits, gate without L1' : `Digits, gate with L1 ${result.l1}`,
        about: about(result),
        provenance: `ReLU(x Wg) of a gated feed-forward block for the first ${TOKENS} of 4,000 test images, in f16. The block (width ${MODEL}, ${HIDDEN} neurons, h = ReLU(x Wg) * (x Wu), y = x + h Wd, no biases) lies between a layer for the pixels and one for the classes; all of it was trained by scripts/train-gated with Adam on 16,000 drawn digits of 16 × 16 pixels${result.l1 === 0 ? '' : `, with ${result.l1} times the sum of |h| added to the loss of every image`}. ${outcome(result, baseline)}`,
        ...(start && { window: { ...start, rows: 5, cols: 32 } }),
      },
      TOKENS,
      HIDDEN,
      result.activations,
    );
  });
}

/** The sentence about an example in the gallery. */
function about({ l1, meanNonZeros }: GatedResult): string {
  const mean = Math.round(meanNonZeros);
  return l1 === 0
    ? `What a gate lets through without training for sparsity: ${mean} of ${HIDDEN} neurons for an image.`
    : `What a gate trained to be sparse lets through: ${mean} of ${HIDDEN} neurons for an image.`;
}

/** The effect of the term on all test images, whether or not it agrees with the TwELL paper. */
function outcome(result: GatedResult, baseline: GatedResult): string {
  const resultText = `Over all test images a mean of ${result.meanNonZeros.toFixed(1)} neurons fire and at most ${result.maxNonZeros}, ${result.deadNeurons} never do, and ${percent(result)} are classified correctly`;
  if (result === baseline) return `${resultText}. The other gates among these examples differ only in the L1 term.`;
  const { meanNonZeros, maxNonZeros, deadNeurons } = baseline;
  const factor = meanNonZeros / result.meanNonZeros;
  const points = 100 * (result.accuracy - baseline.accuracy);
  const change = `${Math.abs(points).toFixed(3)} points ${points < 0 ? 'fewer' : 'more'} are classified correctly`;
  return `${resultText}; without the term the mean is ${meanNonZeros.toFixed(1)}, at most ${maxNonZeros} fire, ${deadNeurons} never do, and ${percent(baseline)} are classified correctly. So the term divides the non-zeros by ${factor.toFixed(1)}, and ${change}: ${verdict(factor, points)}.`;
}

/** Compares the effect with the TwELL paper, which reports at least ten times fewer non-zeros at a barely visible loss. */
function verdict(factor: number, points: number): string {
  const paper = 'that the TwELL paper reports of language models';
  if (factor < 10) return `less than the order of magnitude ${paper}`;
  return points > -0.5
    ? `an order of magnitude at little loss, like the one ${paper}`
    : `more zeros than this network bears without a loss, unlike those ${paper}`;
}

/** An accuracy in percent; for 4,000 images, three digits are exact. */
function percent({ accuracy }: GatedResult): string {
  return `${(100 * accuracy).toFixed(3)} %`;
}
