import type { PublishedFigures } from '../../core/format.ts';
import figures from './published.json';

/** Published speeds of y = A x in f16, by density: the authors’ CUDA kernel, and two rivals that this project lacks. */
export const published: readonly PublishedFigures[] = figures.map((figure) => ({
  ...figure,
  quantity: figure.title === 'MACKO' ? 'speed' : 'speed of a rival',
}));
