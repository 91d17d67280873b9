// A small gated feed-forward network with an L1 term on its activations.

import { largest } from '../../src/core/number/statistics.ts';
import { exp, ln } from '../../src/core/number/elementary.ts';
import type { Random } from '../../src/core/number/random.ts';
import { Classifier, Layer, rectify, softmaxGradient } from '../train-digits/network.ts';

/** The numbers of features in each part of the network. */
export interface GatedSizes {
  readonly inputs: number;
  /** width of the block's input x and output y, K */
  readonly model: number;
  /** neurons of the block, N */
  readonly hidden: number;
  readonly classes: number;
}

/**
 * A classifier around one gated feed-forward block with a residual connection, as transformers have them:
 *
 * x = ReLU(input We); hg = ReLU(x Wg); hu = x Wu; h = hg * hu; y = x + h Wd; scores = ReLU(y) Wc
 *
 * Its loss is the cross entropy plus `l1` times the sum of |h| over the neurons: equation 2 of the TwELL paper without
 * its division by N, which the authors' code does not have either. Trained by Adam, one sample after the other.
 */
export class GatedNetwork extends Classifier {
  readonly #embed: Layer;
  readonly #gate: Layer;
  readonly #up: Layer;
  readonly #down: Layer;
  readonly #classify: Layer;
  readonly #l1: number;
  /** vectors of one sample, named as in the equations above; 'd' before a name is the gradient of the loss by it */
  readonly #v: Readonly<
    Record<
      'x' | 'y' | 'dy' | 'dx' | 'dxPart' | 'hg' | 'hu' | 'h' | 'dh' | 'dhg' | 'dhu' | 'scores' | 'dScores',
      Float32Array
    >
  >;
  /** We, Wg, Wu, Wd, Wc */
  readonly layers: readonly Layer[];

  constructor({ inputs, model, hidden, classes }: GatedSizes, l1: number, random: Random) {
    super();
    this.#embed = new Layer(inputs, model, random);
    this.#gate = new Layer(model, hidden, random);
    this.#up = new Layer(model, hidden, random);
    this.#down = new Layer(hidden, model, random);
    this.#classify = new Layer(model, classes, random);
    this.layers = [this.#embed, this.#gate, this.#up, this.#down, this.#classify];
    this.#l1 = l1;
    const vector = (length: number): Float32Array => new Float32Array(length);
    const [x, y, dy, dx, dxPart] = Array.from({ length: 5 }, () => vector(model));
    const [hg, hu, h, dh, dhg, dhu] = Array.from({ length: 6 }, () => vector(hidden));
    const [scores, dScores] = [vector(classes), vector(classes)];
    this.#v = { x, y, dy, dx, dxPart, hg, hu, h, dh, dhg, dhu, scores, dScores };
  }

  /** ReLU(x Wg) of the last sample, one value per neuron; valid until the next one. */
  get gate(): Float32Array {
    return this.#v.hg;
  }

  /** Cross entropy of one sample and the sum of |h| times its coefficient. */
  loss(input: Float32Array, label: number): number {
    const scores = this.forward(input);
    const highest = largest(scores);
    // The highest score is subtracted so that exp cannot overflow.
    const expSum = scores.reduce((sum, score) => sum + exp(score - highest), 0);
    const l1 = this.#v.h.reduce((sum, h) => sum + Math.abs(h), 0);
    return ln(expSum) + highest - scores[label] + this.#l1 * l1;
  }

  /** Adds the gradients of the loss of one sample to those of the layers (backpropagation). */
  learn(input: Float32Array, label: number): void {
    const { x, y, dy, dx, dxPart, hg, hu, h, dh, dhg, dhu, dScores } = this.#v;
    softmaxGradient(this.forward(input), label, dScores);
    this.#classify.backward(y, dScores, dy);
    this.#down.backward(h, dy, dh);
    for (let n = 0; n < h.length; n++) {
      // Where h is 0 no gradient flows back: the gate is closed, or its output does not matter.
      const d = h[n] === 0 ? 0 : dh[n] + (h[n] > 0 ? this.#l1 : -this.#l1);
      dhg[n] = d * hu[n];
      dhu[n] = d * hg[n];
    }
    this.#gate.backward(x, dhg, dx);
    this.#up.backward(x, dhu, dxPart);
    for (let i = 0; i < dx.length; i++) dx[i] = x[i] === 0 ? 0 : dx[i] + dxPart[i] + dy[i];
    this.#embed.backward(input, dx, null);
  }

  override update(samples: number, rate: number): void {
    super.update(samples, rate);
    // As in language models, the block has no biases.
    for (const layer of [this.#gate, this.#up, this.#down]) layer.biases.fill(0);
  }

  /** The scores of the classes for one sample; valid until the next call. */
  forward(input: Float32Array): Float32Array {
    const { x, y, hg, hu, h, scores } = this.#v;
    this.#embed.forward(input, x);
    rectify(x);
    this.#gate.forward(x, hg);
    rectify(hg);
    this.#up.forward(x, hu);
    for (let n = 0; n < h.length; n++) h[n] = hg[n] * hu[n];
    this.#down.forward(h, y);
    for (let i = 0; i < y.length; i++) y[i] += x[i];
    rectify(y);
    this.#classify.forward(y, scores);
    return scores;
  }
}
