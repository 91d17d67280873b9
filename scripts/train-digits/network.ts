import { largest } from '../../src/core/number/statistics.ts';
import { exp } from '../../src/core/number/elementary.ts';
import { roundToF16 } from '../../src/core/number/index.ts';
import { Random } from '../../src/core/number/random.ts';

// Small fully connected networks, trained by backpropagation with Adam on the CPU, with the same result on every machine.

/** The usual constants of Adam. */
const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;

/**
 * A fully connected layer, trained by Adam (Kingma and Ba 2015).
 * Weights are stored input by input: the weight from input j to output i is at j * outputs + i, so that inputs that are
 * 0 (half of them, after a rectifier) cost nothing.
 */
export class Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: Float32Array;
  readonly biases: Float32Array;
  /** 1 if a weight is kept, 0 if it was pruned; null if nothing was */
  mask: Uint8Array | null = null;
  readonly #gradient: Float32Array;
  readonly #biasGradient: Float32Array;
  /** Adam's running means of the gradients and of their squares: two for the weights, two for the biases */
  readonly #adamMoments: readonly [Float32Array, Float32Array, Float32Array, Float32Array];

  constructor(inputs: number, outputs: number, random: Random) {
    this.inputs = inputs;
    this.outputs = outputs;
    const deviation = Math.sqrt(2 / inputs);
    this.weights = new Float32Array(inputs * outputs);
    random.fillNormal(this.weights);
    for (let i = 0; i < this.weights.length; i++) this.weights[i] *= deviation;
    this.biases = new Float32Array(outputs);
    this.#gradient = new Float32Array(inputs * outputs);
    this.#biasGradient = new Float32Array(outputs);
    this.#adamMoments = [
      new Float32Array(inputs * outputs),
      new Float32Array(inputs * outputs),
      new Float32Array(outputs),
      new Float32Array(outputs),
    ];
  }

  /** Gradients of the weights accumulated by `backward` since the last update. */
  get gradient(): Float32Array {
    return this.#gradient;
  }

  /** Writes weights × input + biases to `output`. */
  forward(input: Float32Array, output: Float32Array): void {
    const { weights, outputs } = this;
    output.set(this.biases);
    for (let j = 0; j < this.inputs; j++) {
      const x = input[j];
      if (x === 0) continue;
      const start = j * outputs;
      for (let i = 0; i < outputs; i++) output[i] += x * weights[start + i];
    }
  }

  /**
   * Adds the gradients of one sample. Writes the gradients of its inputs to `inputGradient`, if there is one: 0 where an
   * input is 0, since a rectifier passes no gradient there.
   */
  backward(input: Float32Array, outputGradient: Float32Array, inputGradient: Float32Array | null): void {
    const { weights, outputs } = this;
    const gradient = this.#gradient;
    for (let i = 0; i < outputs; i++) this.#biasGradient[i] += outputGradient[i];
    for (let j = 0; j < this.inputs; j++) {
      const x = input[j];
      if (inputGradient) inputGradient[j] = 0;
      if (x === 0) continue;
      const start = j * outputs;
      for (let i = 0; i < outputs; i++) gradient[start + i] += x * outputGradient[i];
      if (!inputGradient) continue;
      let sum = 0;
      for (let i = 0; i < outputs; i++) sum += weights[start + i] * outputGradient[i];
      inputGradient[j] = sum;
    }
  }

  /** One step of Adam with the gradients of `samples` samples; `decay1` and `decay2` are the betas to the power of the step. */
  update(samples: number, rate: number, decay1: number, decay2: number): void {
    const [m, v, biasM, biasV] = this.#adamMoments;
    const step = (rate * Math.sqrt(1 - decay2)) / (1 - decay1);
    adam(this.weights, this.#gradient, m, v, samples, step);
    adam(this.biases, this.#biasGradient, biasM, biasV, samples, step);
    this.applyMask();
  }

  /** Sets pruned weights to 0. */
  applyMask(): void {
    const { mask, weights } = this;
    if (mask) for (let i = 0; i < weights.length; i++) if (mask[i] === 0) weights[i] = 0;
  }

  /** The weights as cells of an outputs x inputs matrix, row-major. */
  cells(): Float32Array {
    const cells = new Float32Array(this.weights.length);
    for (let j = 0; j < this.inputs; j++) {
      for (let i = 0; i < this.outputs; i++) cells[i * this.inputs + j] = this.weights[j * this.outputs + i];
    }
    return cells;
  }

  /** Keeps only the weights whose cell in `keptCells` (outputs x inputs, row-major) is not 0, from now on. */
  pruneTo(keptCells: Float32Array): void {
    const mask = new Uint8Array(this.weights.length);
    for (let j = 0; j < this.inputs; j++) {
      for (let i = 0; i < this.outputs; i++) mask[j * this.outputs + i] = keptCells[i * this.inputs + j] === 0 ? 0 : 1;
    }
    this.mask = mask;
    this.applyMask();
  }

  /** Rounds every weight to the nearest f16. */
  roundToF16(): void {
    for (let i = 0; i < this.weights.length; i++) this.weights[i] = roundToF16(this.weights[i]);
  }
}

/** One step of Adam for some parameters; sets their gradients to 0. `m`, `v`: running means of gradients and their squares. */
function adam(
  parameters: Float32Array,
  gradient: Float32Array,
  m: Float32Array,
  v: Float32Array,
  samples: number,
  step: number,
): void {
  for (let i = 0; i < parameters.length; i++) {
    const g = gradient[i] / samples;
    m[i] = BETA_1 * m[i] + (1 - BETA_1) * g;
    v[i] = BETA_2 * v[i] + (1 - BETA_2) * g * g;
    parameters[i] -= (step * m[i]) / (Math.sqrt(v[i]) + EPSILON);
    gradient[i] = 0;
  }
}

/** A classifier of layers that are trained one sample after the other. */
export abstract class Classifier {
  abstract readonly layers: readonly Layer[];
  #decay1 = 1;
  #decay2 = 1;

  /** The scores of the classes of one sample; valid until the next one. */
  abstract forward(input: Float32Array): Float32Array;

  /** Adds the gradients of the loss of one sample. */
  abstract learn(input: Float32Array, label: number): void;

  /** The class of one sample. */
  classify(input: Float32Array): number {
    const scores = this.forward(input);
    return scores.indexOf(largest(scores));
  }

  /** Moves every layer by the gradients of the last `samples` samples. */
  update(samples: number, rate: number): void {
    this.#decay1 *= BETA_1;
    this.#decay2 *= BETA_2;
    for (const layer of this.layers) layer.update(samples, rate, this.#decay1, this.#decay2);
  }
}

/** Fully connected layers with rectifiers between them; the class is the largest output. */
export class Network extends Classifier {
  readonly layers: readonly Layer[];
  readonly #activations: readonly Float32Array[];
  readonly #gradients: readonly Float32Array[];

  /** `sizes`: inputs, the outputs of each hidden layer, classes */
  constructor(sizes: readonly number[], random: Random) {
    super();
    this.layers = sizes.slice(1).map((outputs, k) => new Layer(sizes[k], outputs, random));
    this.#activations = this.layers.map((layer) => new Float32Array(layer.outputs));
    this.#gradients = this.layers.map((layer) => new Float32Array(layer.outputs));
  }

  /** The same layers without their masks and the optimiser's state. */
  copy(): Network {
    const sizes = [this.layers[0].inputs, ...this.layers.map((layer) => layer.outputs)];
    const copy = new Network(sizes, new Random(0));
    copy.layers.forEach((layer, k) => {
      layer.weights.set(this.layers[k].weights);
      layer.biases.set(this.layers[k].biases);
    });
    return copy;
  }

  /** The output of hidden layer `k` for one sample, after its rectifier; valid until the next sample. */
  hidden(input: Float32Array, k: number): Float32Array {
    this.forward(input);
    return this.#activations[k];
  }

  /** Adds the gradients of the cross entropy of one sample. */
  learn(input: Float32Array, label: number): void {
    const scores = this.forward(input);
    const last = this.layers.length - 1;
    softmaxGradient(scores, label, this.#gradients[last]);
    for (let k = last; k >= 0; k--) {
      this.layers[k].backward(
        k === 0 ? input : this.#activations[k - 1],
        this.#gradients[k],
        k === 0 ? null : this.#gradients[k - 1],
      );
    }
  }

  forward(input: Float32Array): Float32Array {
    let current = input;
    this.layers.forEach((layer, k) => {
      const output = this.#activations[k];
      layer.forward(current, output);
      if (k < this.layers.length - 1) rectify(output);
      current = output;
    });
    return current;
  }
}

/** Sets negative values to 0, as a rectifier (ReLU) does. */
export function rectify(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) if (values[i] < 0) values[i] = 0;
}

/** Gradient of the cross entropy: softmax(scores) minus 1 at the label. */
export function softmaxGradient(scores: Float32Array, label: number, gradient: Float32Array): void {
  // The highest score is subtracted so that exp cannot overflow.
  const highest = largest(scores);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    gradient[i] = exp(Math.max(-600, scores[i] - highest));
    sum += gradient[i];
  }
  for (let i = 0; i < scores.length; i++) gradient[i] = gradient[i] / sum - (i === label ? 1 : 0);
}
