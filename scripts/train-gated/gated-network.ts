import { largest } from '../../src/core/number/statistics.ts';
import { exp, ln } from '../../src/core/number/elementary.ts';
import type { Random } from '../../src/core/number/random.ts';
import { BETA_1, BETA_2, Layer, softmaxGradient } from '../train-digits/network.ts';

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
export class GatedNetwork {
  readonly #embed: Layer;
  readonly #gate: Layer;
  readonly #up: Layer;
  readonly #down: Layer;
  readonly #classify: Layer;
  readonly #l1: number;
  readonly #x: Float32Array;
  readonly #hg: Float32Array;
  readonly #hu: Float32Array;
  readonly #h: Float32Array;
  readonly #y: Float32Array;
  readonly #scores: Float32Array;
  readonly #dScores: Float32Array;
  readonly #dy: Float32Array;
  readonly #dh: Float32Array;
  readonly #dhg: Float32Array;
  readonly #dhu: Float32Array;
  readonly #dx: Float32Array;
  readonly #dxPart: Float32Array;
  /** We, Wg, Wu, Wd, Wc */
  readonly layers: readonly Layer[];
  #decay1 = 1;
  #decay2 = 1;

  constructor({ inputs, model, hidden, classes }: GatedSizes, l1: number, random: Random) {
    this.#embed = new Layer(inputs, model, random);
    this.#gate = new Layer(model, hidden, random);
    this.#up = new Layer(model, hidden, random);
    this.#down = new Layer(hidden, model, random);
    this.#classify = new Layer(model, classes, random);
    this.layers = [this.#embed, this.#gate, this.#up, this.#down, this.#classify];
    this.#l1 = l1;
    const vector = (length: number): Float32Array => new Float32Array(length);
    [this.#x, this.#y, this.#dy, this.#dx, this.#dxPart] = [model, model, model, model, model].map(vector);
    [this.#hg, this.#hu, this.#h] = [hidden, hidden, hidden].map(vector);
    [this.#dh, this.#dhg, this.#dhu] = [hidden, hidden, hidden].map(vector);
    [this.#scores, this.#dScores] = [classes, classes].map(vector);
  }

  /** The class of one sample. */
  classify(input: Float32Array): number {
    this.#forward(input);
    return this.#scores.indexOf(largest(this.#scores));
  }

  /** ReLU(x Wg) of the last sample, one value per neuron; valid until the next one. */
  get gate(): Float32Array {
    return this.#hg;
  }

  /** Cross entropy of one sample and the sum of |h| times its coefficient. */
  loss(input: Float32Array, label: number): number {
    this.#forward(input);
    const highest = largest(this.#scores);
    const all = this.#scores.reduce((sum, score) => sum + exp(score - highest), 0);
    const l1 = this.#h.reduce((sum, h) => sum + Math.abs(h), 0);
    return ln(all) + highest - this.#scores[label] + this.#l1 * l1;
  }

  /** Adds the gradients of the loss of one sample. */
  learn(input: Float32Array, label: number): void {
    this.#forward(input);
    softmaxGradient(this.#scores, label, this.#dScores);
    this.#classify.backward(this.#y, this.#dScores, this.#dy);
    this.#down.backward(this.#h, this.#dy, this.#dh);
    for (let n = 0; n < this.#h.length; n++) {
      // Where h is 0 no gradient flows back: the gate is closed, or its output does not matter.
      const dh = this.#h[n] === 0 ? 0 : this.#dh[n] + (this.#h[n] > 0 ? this.#l1 : -this.#l1);
      this.#dhg[n] = dh * this.#hu[n];
      this.#dhu[n] = dh * this.#hg[n];
    }
    this.#gate.backward(this.#x, this.#dhg, this.#dx);
    this.#up.backward(this.#x, this.#dhu, this.#dxPart);
    for (let i = 0; i < this.#dx.length; i++) {
      this.#dx[i] = this.#x[i] === 0 ? 0 : this.#dx[i] + this.#dxPart[i] + this.#dy[i];
    }
    this.#embed.backward(input, this.#dx, null);
  }

  /** Moves every layer by the gradients of the last `samples` samples. */
  update(samples: number, rate: number): void {
    this.#decay1 *= BETA_1;
    this.#decay2 *= BETA_2;
    for (const layer of this.layers) layer.update(samples, rate, this.#decay1, this.#decay2);
    // As in language models, the block has no biases.
    for (const layer of [this.#gate, this.#up, this.#down]) layer.biases.fill(0);
  }

  #forward(input: Float32Array): void {
    this.#embed.forward(input, this.#x);
    rectify(this.#x);
    this.#gate.forward(this.#x, this.#hg);
    rectify(this.#hg);
    this.#up.forward(this.#x, this.#hu);
    for (let n = 0; n < this.#h.length; n++) this.#h[n] = this.#hg[n] * this.#hu[n];
    this.#down.forward(this.#h, this.#y);
    for (let i = 0; i < this.#y.length; i++) this.#y[i] += this.#x[i];
    rectify(this.#y);
    this.#classify.forward(this.#y, this.#scores);
  }
}

function rectify(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) if (values[i] < 0) values[i] = 0;
}
