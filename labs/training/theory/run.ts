// A training run: the network, its settings, and what is recorded at each step.

/** Sizes of the network that the page Training trains: pixels, width of the block, neurons of its gate, classes. */
export const SIZES = { inputs: 256, model: 128, hidden: 1024, classes: 10 } as const;

/** Images per step and steps of a run, together one epoch of 16,000 images, and test images at the end. */
export const BATCH = 32;
export const STEPS = 500;
export const TEST_IMAGES = 4000;

/** Steps per point of a curve; the L1 coefficient can change only after a point. */
export const STEPS_PER_POINT = 5;

/** A neuron is dead if it fired for none of this many images, the images of 32 steps. */
export const DEAD_AFTER = 1024;

/** Neurons of a TwELL tile, and non-zeros that fit at compression 8 : 1, where one of 32 words is the count. */
export const TILE = 256;
export const TILE_CAPACITY = 31;
/** Tiles in the activations of one step, which have a row for each image. */
export const TILES_PER_STEP = (BATCH * SIZES.hidden) / TILE;

/** Steps of a warm-up without L1, and then of its growth: a sixth of a run each, as in the TwELL paper. */
export const WARM_UP = Math.floor(STEPS / 6);

/** The L1 coefficients that the slider and addresses can have. */
export const COEFFICIENTS: readonly number[] = [0, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 0.01, 0.02, 0.03, 0.05, 0.1];

/** A coefficient of L1, as set by the slider, and the step from which it applies. */
export interface L1Change {
  readonly step: number;
  readonly l1: number;
}

/** All settings of a run, as in the TwELL paper. The same settings give the same run. */
export interface RunSettings {
  readonly seed: number;
  /** ascending; the first one is at step 0 */
  readonly l1Changes: readonly L1Change[];
  /** whether the weights of dead neurons move a tenth of the way to new random ones after every step (equation 6) */
  readonly reinitialises: boolean;
  /** whether L1 begins with a warm-up: see `WARM_UP` */
  readonly warmsUp: boolean;
}

/** The results for the images of `STEPS_PER_POINT` steps, each computed before the network learnt from the image. */
export interface CurvePoint {
  /** the last of the steps, from 1 */
  readonly step: number;
  /** the L1 coefficient at this step */
  readonly l1: number;
  /** cross entropy without the L1 term, mean over the images */
  readonly loss: number;
  /** share of the images that are classified correctly */
  readonly accuracy: number;
  /** neurons that fire for an image, on average */
  readonly mean: number;
  /** neurons that fire for an image, at most */
  readonly max: number;
  /** neurons that fired for none of the last DEAD_AFTER images, or of all images so far if there were fewer */
  readonly dead: number;
  /** share of the tiles with more non-zeros than fit */
  readonly overflowing: number;
}

/** The results of the trained network for the test images, with the meanings of `CurvePoint`. */
export interface TestResult {
  readonly accuracy: number;
  readonly mean: number;
  readonly max: number;
  readonly dead: number;
}

/**
 * The outputs of the gate in a step, ReLU(x Wg): a row per image, row-major. Where an output is 0, so is the block's
 * activation.
 */
export interface BatchActivations {
  /** number of steps trained before */
  readonly step: number;
  readonly cells: Float32Array;
}

/** The L1 coefficient at a step, from 0: the last change's, reduced in a warm-up. O(changes). */
export function coefficientAt(
  { l1Changes, warmsUp }: Pick<RunSettings, 'l1Changes' | 'warmsUp'>,
  step: number,
): number {
  let l1 = 0;
  for (const change of l1Changes) if (change.step <= step) l1 = change.l1;
  return warmsUp ? l1 * Math.min(1, Math.max(0, (step - WARM_UP) / WARM_UP)) : l1;
}

/** The changes before the step of `change`, then `change` itself unless it repeats their last coefficient. */
export function withL1Change(l1Changes: readonly L1Change[], change: L1Change): readonly L1Change[] {
  const earlier = l1Changes.filter(({ step }) => step < change.step);
  return earlier.at(-1)?.l1 === change.l1 ? earlier : [...earlier, change];
}

/** Changes as a text: '0.003_120-0.01' is coefficient 0.003, then 0.01 from step 120 on. */
export function l1ChangesText(l1Changes: readonly L1Change[]): string {
  return l1Changes.map(({ step, l1 }) => (step === 0 ? String(l1) : `${step}-${l1}`)).join('_');
}

/** Maximum number of changes in a text: more than a user makes. */
const MAX_L1_CHANGES = 100;

/** Parses a text of `l1ChangesText`; null if the text is invalid. */
export function readL1Changes(text: string): readonly L1Change[] | null {
  const parts = text.split('_');
  if (parts.length > MAX_L1_CHANGES) return null;
  const l1Changes: L1Change[] = [];
  for (const [i, part] of parts.entries()) {
    const match = /^(?:(\d{1,3})-)?([\d.]{1,6})$/.exec(part);
    if (match === null) return null;
    const [, step = '0', l1] = match;
    const change = { step: Number(step), l1: Number(l1) };
    const isInOrder = i === 0 ? change.step === 0 && !part.includes('-') : change.step > l1Changes[i - 1].step;
    if (!isInOrder || change.step >= STEPS || change.step % STEPS_PER_POINT !== 0 || !COEFFICIENTS.includes(change.l1))
      return null;
    l1Changes.push(change);
  }
  return l1Changes;
}
