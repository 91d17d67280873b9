import type { Axis } from '../../../kit/charts/axis.ts';
import { MIN_DENSITY } from './size-curves.ts';

/** Density along x: linear, or logarithmic, which spreads out the densities of activations. */
const DENSITY_AXES: Readonly<Record<'linear' | 'log', Axis>> = {
  linear: {
    scale: 'linear',
    domain: [0, 1],
    ticks: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
    text: String,
    title: 'density',
  },
  log: {
    scale: 'log',
    domain: [MIN_DENSITY, 1],
    ticks: [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1],
    text: String,
    title: 'density',
  },
};

const percentText = (left: number): string => String(Number((100 * left).toPrecision(3)));

/** What is left of the weights, in percent. */
export const LEFT_AXES: Readonly<Record<'linear' | 'log', Axis>> = {
  linear: { ...DENSITY_AXES.linear, text: percentText, title: '% left' },
  log: { ...DENSITY_AXES.log, text: percentText, title: '% left, logarithmic' },
};
