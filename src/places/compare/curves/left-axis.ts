import type { Axis } from '../../../kit/charts/axis.ts';

/** What is left of the weights, in percent. */
export const LEFT_AXIS: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  text: (left) => String(Number((100 * left).toPrecision(3))),
  title: '% left',
};
