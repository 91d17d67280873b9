/** Sizes of the network that the Training page trains: pixels, width of the block, neurons of its gate, classes. */
export const SIZES = { inputs: 256, model: 128, hidden: 1024, classes: 10 } as const;

/** Images per step, steps of a run, and test images at its end: one epoch of 16,000 images. */
export const BATCH = 32;
export const STEPS = 500;
export const TEST_IMAGES = 4000;

/** Steps per point of a curve; a coefficient that is changed during a run takes effect after a point. */
export const STEPS_PER_POINT = 5;

/** A neuron is dead if none of this many images fired it: those of 32 steps. */
export const DEAD_AFTER = 1024;

/** Neurons of a tile, and the non-zeros that fit: TwELL's at 8 : 1, where one of 32 words is the count. */
export const TILE = 256;
export const TILE_CAPACITY = 31;
/** Tiles of the activations of one step: one image in a row. */
export const TILES_PER_STEP = (BATCH * SIZES.hidden) / TILE;

/** Steps without L1 in a warm-up, and as many in which it grows: a sixth of a run each, as in the TwELL paper. */
export const WARM_UP = Math.floor(STEPS / 6);

/** The coefficients of the slider, and of addresses. */
export const COEFFICIENTS: readonly number[] = [0, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 5e-3, 0.01, 0.02, 0.03, 0.05, 0.1];

/** A coefficient of L1, as set by the slider, and the step from which it applies. */
export interface L1Change {
  readonly step: number;
  readonly l1: number;
}

/** All settings of a run. The same settings give the same run. */
export interface RunSettings {
  readonly seed: number;
  /** ascending; the first one is at step 0 */
  readonly l1Changes: readonly L1Change[];
  /**
   * whether dead neurons are re-initialised after every step, by equation 6 of the TwELL paper, a tenth of the way to new
   * random weights
   */
  readonly reinitialises: boolean;
  readonly warmsUp: boolean;
}

/** The results for the images of some steps, each before the network learnt from it. */
export interface CurvePoint {
  /** the last of the steps, from 1 */
  readonly step: number;
  /** the coefficient at the last of them */
  readonly l1: number;
  /** cross entropy without the L1 term, mean of an image */
  readonly loss: number;
  /** share of the images */
  readonly accuracy: number;
  /** neurons that an image fires, on average */
  readonly mean: number;
  /** neurons that an image fires, at most */
  readonly max: number;
  /** neurons that none of the last DEAD_AFTER images fired, or of all images if there were fewer */
  readonly dead: number;
  /** share of the tiles with more non-zeros than fit */
  readonly overflowing: number;
}

/** The finished network on test images, which it has never seen, in the units of `CurvePoint`. */
export interface TestResult {
  readonly accuracy: number;
  readonly mean: number;
  readonly max: number;
  readonly dead: number;
}

/**
 * The outputs of the gate in a step, ReLU(x Wg): a row per image, row-major. Where it is 0, so is the block's
 * activation.
 */
export interface BatchActivations {
  /** number of steps trained before */
  readonly step: number;
  readonly cells: Float32Array;
}

/** The coefficient of L1 at a step, from 0: the newest one, reduced in a warm-up. O(changes). */
export function coefficientAt(
  { l1Changes, warmsUp }: Pick<RunSettings, 'l1Changes' | 'warmsUp'>,
  step: number,
): number {
  let l1 = 0;
  for (const change of l1Changes) if (change.step <= step) l1 = change.l1;
  return warmsUp ? l1 * Math.min(1, Math.max(0, (step - WARM_UP) / WARM_UP)) : l1;
}

/** The changes with a further one in place of all from its step on; without it if it repeats the coefficient before. */
export function withL1Change(l1Changes: readonly L1Change[], change: L1Change): readonly L1Change[] {
  const earlier = l1Changes.filter(({ step }) => step < change.step);
  return earlier.at(-1)?.l1 === change.l1 ? earlier : [...earlier, change];
}

/** '0.003_120-0.01': the first coefficient, and each later one after its step. */
export function l1ChangesText(l1Changes: readonly L1Change[]): string {
  return l1Changes.map(({ step, l1 }) => (step === 0 ? String(l1) : `${step}-${l1}`)).join('_');
}

/** Maximum number of changes in a text: more than a person makes. */
const MAX_L1_CHANGES = 100;

/** Parses changes; null for an invalid text. */
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
