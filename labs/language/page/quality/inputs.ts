// The data of the chart of quality by used inputs.

import { UNCHANGED, type Recipe, type StoredType } from '../../decoders/stored/recipe.ts';
import { relativeBytes } from './points.ts';
import recorded from './inputs.json';

/** A line of the chart of quality by used inputs (elements of x in y = W x): how its weights are stored. */
export interface InputsSeries {
  readonly id: 'all' | 'pruned' | 'i4';
  readonly title: string;
  readonly recipe: Recipe;
  /** share of weights left */
  readonly density: number;
  readonly valueType: StoredType;
}

export const ALL_SERIES: readonly InputsSeries[] = [
  { id: 'all', title: 'all weights', recipe: UNCHANGED, density: 1, valueType: 'f16' },
  {
    id: 'pruned',
    title: '70\u202f% of the weights',
    recipe: { pruning: { way: 'wanda', density: 0.7 }, valueType: 'f16' },
    density: 0.7,
    valueType: 'f16',
  },
  { id: 'i4', title: '4-bit values', recipe: { ...UNCHANGED, valueType: 'i4' }, density: 1, valueType: 'i4' },
];

/** The shares of the inputs that products use, a point of each line. */
export const USED_SHARES = [1, 0.9, 0.8, 0.7, 0.6, 0.5] as const;

/** Number of measured tales, generated short stories. */
export const TALE_COUNT = 6;

/** The recording for the model Tales 3.4M: bytes of every tale, and its bits by series and share of inputs. */
export const recordedInputs: {
  readonly bytes: readonly number[];
  readonly bits: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
} = recorded;

/** Bits per byte of all tales; null without a recording. */
export function recordedBits(series: InputsSeries['id'], used: number): number | null {
  const bits = recordedInputs.bits[series]?.[String(used)];
  return bits ? perByte(bits, recordedInputs.bytes) : null;
}

/** Bits per byte of all tales together. */
export function perByte(bits: readonly number[], bytes: readonly number[]): number {
  const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
  return sum(bits) / sum(bytes);
}

/**
 * Bytes of the blocks' matrices that a token reads, relative to dense f16. Columns of unused inputs are not read
 * if the matrix is dense; a sparse format stores rows, so that all of its bytes are read.
 */
export function bytesRead({ density, valueType }: Pick<InputsSeries, 'density' | 'valueType'>, used: number): number {
  return relativeBytes(density, null, valueType) * (density < 1 ? 1 : used);
}

/** A point of the chart. */
export interface InputsPoint {
  readonly series: InputsSeries;
  readonly used: number;
  /** bits per byte */
  readonly bits: number;
  /** measured in this browser */
  readonly isHere: boolean;
}
