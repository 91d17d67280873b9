import { Random } from '../core/number/random.ts';
import type { Steps } from '../core/job.ts';

// Random images of digits, like handwriting: the training data of the example network, and the calibration data of
// Wanda.

/** The seed of the images on which scripts/train-digits trains its network. */
export const TRAINING_SEED = 12;

/** Number of training images for the column norms of Wanda pruning; more hardly change which weights stay. */
export const CALIBRATION_IMAGES = 512;

/** Images drawn between two yields: about 5 ms. */
const SLICE = 64;

/** The first `count` images of a seed, count x PIXELS, the same on every machine. About 60 µs each. */
export function* drawImagesSteps(seed: number, count: number): Steps<Float32Array> {
  const images = new DigitImages(seed);
  const pixels = new Float32Array(count * PIXELS);
  for (let k = 0; k < count; k++) {
    images.next(pixels.subarray(k * PIXELS, (k + 1) * PIXELS));
    if (k % SLICE === SLICE - 1) yield { what: 'Drawing digits', done: k + 1, total: count };
  }
  return pixels;
}

/** Pixels along an edge of an image. */
const IMAGE_EDGE = 16;
export const PIXELS = IMAGE_EDGE * IMAGE_EDGE;

/** The strokes of each digit as x, y pairs in the unit square, y downwards. */
const STROKES: readonly (readonly number[])[] = [
  [0.5, 0.1, 0.25, 0.25, 0.2, 0.5, 0.25, 0.75, 0.5, 0.9, 0.75, 0.75, 0.8, 0.5, 0.75, 0.25, 0.5, 0.1],
  [0.35, 0.28, 0.55, 0.1, 0.55, 0.9],
  [0.22, 0.3, 0.3, 0.15, 0.5, 0.1, 0.7, 0.17, 0.76, 0.33, 0.62, 0.52, 0.22, 0.9, 0.8, 0.9],
  [0.25, 0.18, 0.5, 0.1, 0.73, 0.2, 0.7, 0.4, 0.45, 0.48, 0.72, 0.55, 0.77, 0.75, 0.5, 0.9, 0.22, 0.8],
  [0.62, 0.9, 0.62, 0.1, 0.2, 0.65, 0.82, 0.65],
  [0.75, 0.1, 0.3, 0.1, 0.27, 0.46, 0.55, 0.42, 0.77, 0.58, 0.74, 0.8, 0.5, 0.9, 0.22, 0.82],
  [0.7, 0.12, 0.42, 0.25, 0.25, 0.55, 0.27, 0.8, 0.5, 0.9, 0.73, 0.8, 0.74, 0.6, 0.52, 0.5, 0.28, 0.62],
  [0.2, 0.1, 0.8, 0.1, 0.45, 0.9],
  [0.5, 0.48, 0.28, 0.32, 0.33, 0.14, 0.5, 0.1, 0.67, 0.14, 0.72, 0.32, 0.5, 0.48].concat([
    0.25, 0.66, 0.28, 0.84, 0.5, 0.9, 0.72, 0.84, 0.75, 0.66, 0.5, 0.48,
  ]),
  [0.73, 0.38, 0.5, 0.5, 0.28, 0.4, 0.27, 0.2, 0.5, 0.1, 0.72, 0.2, 0.73, 0.38, 0.68, 0.7, 0.5, 0.9],
];

/** Standard deviation of the noise, where ink is 1. */
const NOISE = 0.12;

/**
 * Draws handwriting-like digits: every point of a stroke is jittered, and the whole is turned (up to 0.3 rad), sheared,
 * scaled, shifted (up to 1.5 pixels), drawn with a pen of varying width, and covered with noise. Only additions,
 * multiplications, divisions and square roots are used, so the same seed gives the same images anywhere.
 */
export class DigitImages {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Draws a random digit into `pixels` (row-major; paper is about 0, ink about 1) and returns the digit. */
  next(pixels: Float32Array): number {
    const random = this.#random;
    const digit = random.below(10);
    const points = this.#distorted(STROKES[digit]);
    const penRadius = 0.5 + 0.45 * random.uniform();
    for (let y = 0; y < IMAGE_EDGE; y++) {
      for (let x = 0; x < IMAGE_EDGE; x++) {
        const ink = penRadius + 0.5 - distanceToStroke(points, x + 0.5, y + 0.5);
        pixels[y * IMAGE_EDGE + x] = Math.max(0, Math.min(1, Math.max(0, ink)) + NOISE * random.normal());
      }
    }
    return digit;
  }

  #distorted(stroke: readonly number[]): Float64Array {
    const random = this.#random;
    const between = (low: number, high: number): number => low + (high - low) * random.uniform();
    // a rotation by the half-angle formulas, from t = tan(angle / 2)
    const t = between(-0.15, 0.15);
    const cos = (1 - t * t) / (1 + t * t);
    const sin = (2 * t) / (1 + t * t);
    const shear = between(-0.2, 0.2);
    const width = IMAGE_EDGE * between(0.6, 0.95);
    const height = IMAGE_EDGE * between(0.7, 0.95);
    const shiftX = between(-1.5, 1.5);
    const shiftY = between(-1.5, 1.5);
    const points = new Float64Array(stroke.length);
    for (let i = 0; i < stroke.length; i += 2) {
      const x = (stroke[i] - 0.5 + 0.02 * random.normal()) * width;
      const y = (stroke[i + 1] - 0.5 + 0.02 * random.normal()) * height;
      const sheared = x + shear * y;
      points[i] = IMAGE_EDGE / 2 + shiftX + cos * sheared - sin * y;
      points[i + 1] = IMAGE_EDGE / 2 + shiftY + sin * sheared + cos * y;
    }
    return points;
  }
}

/** Distance from (x, y) to the nearest of the segments between neighbouring points, in pixels. */
function distanceToStroke(points: Float64Array, x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const dx = points[i + 2] - points[i];
    const dy = points[i + 3] - points[i + 1];
    const px = x - points[i];
    const py = y - points[i + 1];
    const along = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
    const ex = px - along * dx;
    const ey = py - along * dy;
    nearest = Math.min(nearest, ex * ex + ey * ey);
  }
  return Math.sqrt(nearest);
}
