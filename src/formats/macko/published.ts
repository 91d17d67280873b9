import type { PublishedFigures } from '../../core/format.ts';
import figures from './published.json';

/** Published speeds by density, y = A x in f16: the authors’ CUDA kernel, and two others that this project lacks. */
export const published: readonly PublishedFigures[] = figures.map((figure) => ({
  ...figure,
  quantity: figure.title === 'MACKO' ? 'speed' : 'speed of a rival',
}));
