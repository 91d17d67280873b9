import type { PublishedFigures } from '../../core/format.ts';
import figures from './published.json';

/** Speed of the authors’ CUDA kernel, y = A x in f16, by density, and that of two rivals whose formats are not built here. */
export const published: readonly PublishedFigures[] = figures.map((one) => ({
  ...one,
  quantity: one.title === 'MACKO' ? 'speed' : 'speed of a rival',
}));
