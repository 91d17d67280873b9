import type { Axis } from '../../../kit/charts/axis.ts';

/** The axis of weights left, in percent. */
export const LEFT_AXIS: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
  text: (left) => String(Number((100 * left).toPrecision(3))),
  title: '% left',
};
