// Computes the numbers of the training story (page/story/recorded.json) from runs of the network; a test compares
// them.

import { DigitImages, PIXELS } from '../../../src/generate/digit-images.ts';
import type { GatedNetwork } from '../page/service/gated-network.ts';
import { drawBatch, TEST_SEED, train } from '../page/service/train.ts';
import { BATCH, SIZES, STEPS, STEPS_PER_POINT } from '../theory/run.ts';
import { DEFAULT_SEED } from '../page/fields.ts';

/** Index of the story's test image: at the end it fires as many neurons as the average image. */
export const STORY_IMAGE = 10;
/** A neuron that dies early, and the neurons around it that are drawn with it. */
const DYING_NEURON = 528;
const FIRST_DRAWN_NEURON = 524;
const DRAWN_NEURONS = 6;
/** Number of steps at the beginning after each of which the neuron's sum is recorded. */
const DETAILED_STEPS = 41;

/** Rounds to four significant digits. */
const rounded = (value: number): number => Number(value.toPrecision(4));

/** Runs the first test images through the network, in its current state. */
function runTest(network: GatedNetwork): void {
  drawBatch(new DigitImages(TEST_SEED), network);
  network.forward();
}

/** Returns x, x Wg and x Wu of the image, in double precision. Call `runTest` first. */
function imageSums(network: GatedNetwork) {
  const [embed, gate, up] = network.layers;
  const x = Array.from({ length: SIZES.model }, (_, j) => {
    let sum = embed.weights[SIZES.inputs * embed.stride + j];
    for (let p = 0; p < SIZES.inputs; p++)
      sum += embed.weights[p * embed.stride + j] * network.input[p * BATCH + STORY_IMAGE];
    return Math.max(0, sum);
  });
  const times = ({ weights, stride }: typeof gate) =>
    Array.from({ length: SIZES.hidden }, (_, n) =>
      x.reduce((sum, value, j) => sum + value * weights[j * stride + n], 0),
    );
  return { x, gate: times(gate), up: times(up) };
}

/** Returns which neurons fire for the image: a digit for each neuron, 9 if it fires and 0 if not. */
function firedDigits({ gate }: GatedNetwork): string {
  return Array.from({ length: SIZES.hidden }, (_, n) => (gate[n * BATCH + STORY_IMAGE] > 0 ? 9 : 0)).join('');
}

/** Returns the positive activations of all images as pairs of position in the batch and value, image by image. */
function batchActivations({ gate }: GatedNetwork): readonly number[] {
  return Array.from({ length: BATCH * SIZES.hidden }, (_, position) => {
    const [image, n] = [Math.floor(position / SIZES.hidden), position % SIZES.hidden];
    return [position, rounded(gate[n * BATCH + image])];
  }).flatMap(([position, value]) => (value > 0 ? [position, value] : []));
}

/** Returns a digit from 0 to 9 for each value: values from 0 to `max` are scaled to 9, others are clamped. */
const digits = (values: readonly number[], max: number): string =>
  values.map((value) => Math.round(Math.min(9, Math.max(0, (9 * value) / max)))).join('');

/** Returns the loss and the sum of |h| of the image: a forward pass of a batch that repeats this image. */
function imageOutcome(network: GatedNetwork): { readonly loss: number; readonly sum: number } {
  runTest(network);
  const { input, labels } = network;
  labels.fill(labels[STORY_IMAGE]);
  for (let p = 0; p < PIXELS; p++) input.fill(input[p * BATCH + STORY_IMAGE], p * BATCH, (p + 1) * BATCH);
  const { loss, l1 } = network.forward();
  return { loss: rounded(loss / BATCH), sum: rounded(l1 / BATCH) };
}

/** Trains the first `steps` steps of a run with a constant coefficient of L1, and calls `onStep` at each step. */
async function trainSteps(l1: number, steps: number, onStep: (network: GatedNetwork, step: number) => void) {
  const l1Changes = [{ step: 0, l1 }];
  const settings = { seed: DEFAULT_SEED, l1Changes, reinitialises: false, warmsUp: false };
  await train({ report() {}, throwIfCancelled() {} }, settings, () => l1Changes, { steps, testImages: BATCH, onStep });
}

/**
 * Returns the story's numbers from the first `steps` steps of a run; `end` only after all steps.
 * page/story/recorded.json contains the numbers of the whole run.
 */
export async function storyOf(steps: number) {
  const sums: number[] = [];
  const ups: number[] = [];
  const firing: number[] = [];
  let lastFired = 0;
  let initialNumbers: object = {};
  let finalNumbers: object = {};
  await trainSteps(0.03, steps, (network, step) => {
    // The activations of the last training batch are still in the network.
    const hasFired = network.gate.subarray(DYING_NEURON * BATCH, (DYING_NEURON + 1) * BATCH).some((value) => value > 0);
    if (step > 0 && hasFired) lastFired = step;
    if (step >= DETAILED_STEPS && step % STEPS_PER_POINT > 0) return;
    const outcome = step === 0 || step === STEPS ? imageOutcome(network) : null;
    runTest(network);
    const { x, gate, up } = imageSums(network);
    if (step < DETAILED_STEPS) {
      sums.push(rounded(gate[DYING_NEURON]));
      ups.push(rounded(up[DYING_NEURON]));
    }
    if (step % STEPS_PER_POINT === 0)
      firing.push(
        network.gate
          .subarray(DYING_NEURON * BATCH, (DYING_NEURON + 1) * BATCH)
          .reduce((count, value) => count + (value > 0 ? 1 : 0), 0),
      );
    if (step === 0) {
      const pixels = Array.from({ length: PIXELS }, (_, p) => network.input[p * BATCH + STORY_IMAGE]);
      const neurons = Array.from({ length: DRAWN_NEURONS }, (_, i) => FIRST_DRAWN_NEURON + i);
      initialNumbers = {
        label: network.labels[STORY_IMAGE],
        pixels: digits(pixels, 1),
        x: digits(x, Math.max(...x)),
        start: {
          ...outcome,
          fired: firedDigits(network),
          neurons: neurons.map((n) => ({ neuron: n, sum: rounded(gate[n]), up: rounded(up[n]) })),
        },
      };
    }
    if (step === STEPS)
      finalNumbers = { end: { ...outcome, fired: firedDigits(network), batch: batchActivations(network) } };
  });
  return { ...initialNumbers, track: { neuron: DYING_NEURON, sums, ups, firing, lastFired }, ...finalNumbers };
}

/** Returns which neurons fire for the image at the end of the run without L1. */
export async function firedWithoutL1(): Promise<string> {
  let fired = '';
  await trainSteps(0, STEPS, (network, step) => {
    if (step < STEPS) return;
    runTest(network);
    fired = firedDigits(network);
  });
  return fired;
}
