// Axes of the quality charts.

import type { Axis } from '../../../../src/kit/charts/axis.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { aboveFloor } from '../curve/above-floor.ts';

/** Upper end of the axis of bits per byte above the floor, the least that any model needs. */
const MAX_ABOVE = 6;

/** Ticks of the axis above the floor: 0, then 0.001 and its multiples by ten. */
const ABOVE_TICKS = [
  { at: 0, text: 'best' },
  { at: aboveFloor(0.001), text: '+0.001' },
  { at: aboveFloor(0.01), text: '+0.01' },
  { at: aboveFloor(0.1), text: '+0.1' },
  { at: aboveFloor(1), text: '+1' },
];

/** Bits per byte above the floor: linear up to 0.001, then logarithmic. Values are positions by `aboveFloor`. */
export const ABOVE_AXIS: Axis = {
  scale: 'linear',
  domain: [0, aboveFloor(MAX_ABOVE)],
  ticks: ABOVE_TICKS.map(({ at }) => at),
  text: (position) => ABOVE_TICKS.find(({ at }) => at === position)?.text ?? '',
  // Its title is in the chart's heading.
  title: '',
};

export const DENSITY_AXIS: Axis = {
  scale: 'linear',
  domain: [0.05, 1],
  ticks: [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1],
  text: densityText,
  title: 'density',
};

export const BYTES_AXIS: Axis = {
  scale: 'linear',
  domain: [0.1, 1.08],
  ticks: [1, 0.75, 0.5, 0.25],
  text: (share) => String(share),
  title: 'bytes of the matrices, relative to dense f16',
  reversed: true,
};

/** The share of a model's tales (short stories) that break no law of tales, such as spelling (tales/judge.ts). */
export const UNBROKEN_AXIS: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.5, 1],
  text: (share) => `${100 * share}\u202f%`,
  title: '',
};
