import type { PublishedFigures } from '../../core/format.ts';
import figures from './published.json';

/**
 * Speed of cuSPARSE’s CSR over cuBLAS, y = A x in f16, by density, from the MACKO paper. The paper does not state how
 * wide the indices are: the authors’ benchmark uses CUSPARSE_INDEX_32I, for columns and for row starts.
 */
export const published: readonly PublishedFigures[] = figures.map((figure) => ({ ...figure, quantity: 'speed' }));
