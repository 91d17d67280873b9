// The training run in the worker: a gated network learns drawn digits, and reports points of its curves.

import { Random } from '../../../../src/core/number/random.ts';
import { Pacer } from '../../../../src/core/pace.ts';
import { DigitImages, PIXELS } from '../../../../src/generate/digit-images.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import {
  BATCH,
  type BatchActivations,
  coefficientAt,
  type CurvePoint,
  DEAD_AFTER,
  type RunSettings,
  SIZES,
  STEPS,
  STEPS_PER_POINT,
  TEST_IMAGES,
  type TestResult,
  TILE,
  TILE_CAPACITY,
  TILES_PER_STEP,
  type L1Change,
} from '../../theory/run.ts';
import { GatedNetwork } from './gated-network.ts';

/** The learning rate falls in equal steps from this to a tenth at the end of a complete run. */
const LEARNING_RATE = 1e-3;
const LEARNING_RATE_DECAY = 0.9;
/** The seed of the test images (docs/examples.md). */
export const TEST_SEED = 14;
/** Share of the way that a dead neuron's weights move to new random ones in a step: lambda of the TwELL paper. */
const REINITIALISED_SHARE = 0.1;

/** Called with every point of the curves; returns all changes of L1 for the rest of the run, which waits for them. */
export type OnPoint = (
  point: CurvePoint,
  batch: BatchActivations,
) => Promise<readonly L1Change[]> | readonly L1Change[];

/**
 * Trains a gated network on drawn digits, as scripts/train-gated does, and reports every STEPS_PER_POINT steps how many
 * neurons fired. Tests train a part of a run; its learning rate falls as in a complete one. Throws CancelledError.
 */
export async function train(
  job: Pick<ServiceJob, 'report' | 'throwIfCancelled'>,
  settings: RunSettings,
  onPoint: OnPoint,
  { steps, testImages, onStep }: RunPart = WHOLE_RUN,
): Promise<TestResult> {
  const { seed, reinitialises } = settings;
  const network = new GatedNetwork(SIZES, new Random(seed));
  const images = new DigitImages(seed + 1);
  const noise = new Random(seed + 2);
  const counts = new FiringCounts();
  const pacer = new Pacer();
  let { l1Changes } = settings;
  for (let step = 0; step < steps; step++) {
    await pacer.pauseIfDue();
    job.throwIfCancelled();
    job.report({ what: `${BATCH} images a step`, done: step, total: steps });
    const l1 = coefficientAt({ ...settings, l1Changes }, step);
    onStep?.(network, step);
    drawBatch(images, network);
    const { loss, right } = network.forward();
    counts.add(network.gate, step);
    network.backward(l1);
    network.update(LEARNING_RATE * (1 - (LEARNING_RATE_DECAY * step) / STEPS));
    if (reinitialises) network.reinitialise(counts.dead(step), REINITIALISED_SHARE, noise);
    counts.addOutcome(loss, right);
    if ((step + 1) % STEPS_PER_POINT > 0) continue;
    l1Changes = await onPoint(counts.point(step, l1), { step: step + 1, cells: byImage(network.gate) });
  }
  onStep?.(network, steps);
  return testNetwork(network, job, testImages);
}

/** The part of a run that is trained: all, or less in tests. `onStep`: called before each step and after the last. */
interface RunPart {
  readonly steps: number;
  readonly testImages: number;
  readonly onStep?: (network: GatedNetwork, step: number) => void;
}

const WHOLE_RUN: RunPart = { steps: STEPS, testImages: TEST_IMAGES };

/** Draws the images of a batch into the input of a network, with their classes. */
export function drawBatch(images: DigitImages, { input, labels }: GatedNetwork): void {
  const pixels = new Float32Array(PIXELS);
  for (let image = 0; image < BATCH; image++) {
    labels[image] = images.next(pixels);
    for (let p = 0, index = image; p < PIXELS; p++, index += BATCH) input[index] = pixels[p];
  }
}

/** The transposed matrix: from one row for each neuron to one row for each image. */
function byImage(values: Float32Array): Float32Array {
  const cells = new Float32Array(values.length);
  const neurons = values.length / BATCH;
  for (let n = 0; n < neurons; n++) {
    for (let image = 0; image < BATCH; image++) cells[image * neurons + n] = values[n * BATCH + image];
  }
  return cells;
}

/** Non-zeros of the activations of batches, counted by image, by tile and by neuron. */
class FiringCounts {
  /** the last step at which a neuron fired, counted from 1; 0: never */
  readonly #lastFired = new Uint32Array(SIZES.hidden);
  readonly #countOfImage = new Uint32Array(BATCH);
  readonly #countOfTile = new Uint32Array(TILES_PER_STEP);
  #steps = 0;
  #nonZeros = 0;
  #max = 0;
  #overflowing = 0;
  #loss = 0;
  #right = 0;

  /** Counts a batch: values by neuron. O(values). */
  add(gate: Float32Array, step: number): void {
    this.#countOfImage.fill(0);
    this.#countOfTile.fill(0);
    for (let n = 0, index = 0; n < SIZES.hidden; n++) {
      const firstTile = Math.floor(n / TILE) * BATCH;
      for (let image = 0; image < BATCH; image++, index++) {
        if (gate[index] === 0) continue;
        this.#countOfImage[image]++;
        this.#countOfTile[firstTile + image]++;
        this.#lastFired[n] = step + 1;
      }
    }
    for (const count of this.#countOfImage) {
      this.#nonZeros += count;
      this.#max = Math.max(this.#max, count);
    }
    for (const count of this.#countOfTile) if (count > TILE_CAPACITY) this.#overflowing++;
    this.#steps++;
  }

  addOutcome(loss: number, right: number): void {
    this.#loss += loss;
    this.#right += right;
  }

  /** Neurons that fired for none of the last DEAD_AFTER images; empty before that many images. */
  dead(step: number): readonly number[] {
    const lastOfDead = step + 1 - DEAD_AFTER / BATCH;
    if (lastOfDead < 0) return [];
    const dead: number[] = [];
    this.#lastFired.forEach((last, n) => {
      if (last <= lastOfDead) dead.push(n); // bounded: by the neurons
    });
    return dead;
  }

  /** The point for the steps since the last one, of which `step` is the newest. */
  point(step: number, l1: number): CurvePoint {
    const images = this.#steps * BATCH;
    const lastOfDead = Math.max(0, step + 1 - DEAD_AFTER / BATCH);
    const point = {
      step: step + 1,
      l1,
      loss: this.#loss / images,
      accuracy: this.#right / images,
      mean: this.#nonZeros / images,
      max: this.#max,
      dead: this.#lastFired.reduce((dead, last) => dead + (last <= lastOfDead ? 1 : 0), 0),
      overflowing: this.#overflowing / (this.#steps * TILES_PER_STEP),
    };
    this.#steps = this.#nonZeros = this.#max = this.#overflowing = this.#loss = this.#right = 0;
    return point;
  }
}

/** The results on the test images. */
async function testNetwork(
  network: GatedNetwork,
  job: Pick<ServiceJob, 'report' | 'throwIfCancelled'>,
  testImages: number,
): Promise<TestResult> {
  const images = new DigitImages(TEST_SEED);
  const fired = new Uint8Array(SIZES.hidden);
  const pacer = new Pacer();
  let right = 0;
  let nonZeros = 0;
  let max = 0;
  for (let done = 0; done < testImages; done += BATCH) {
    await pacer.pauseIfDue();
    job.throwIfCancelled();
    job.report({ what: 'Test images', done, total: testImages });
    drawBatch(images, network);
    right += network.forward().right;
    const countOfImage = new Uint32Array(BATCH);
    for (let n = 0, index = 0; n < SIZES.hidden; n++) {
      for (let image = 0; image < BATCH; image++, index++) {
        if (network.gate[index] === 0) continue;
        countOfImage[image]++;
        fired[n] = 1;
      }
    }
    for (const count of countOfImage) {
      nonZeros += count;
      max = Math.max(max, count);
    }
  }
  const dead = fired.reduce((sum, hasFired) => sum + 1 - hasFired, 0);
  return { accuracy: right / testImages, mean: nonZeros / testImages, max, dead };
}
