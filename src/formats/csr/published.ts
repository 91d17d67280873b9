import type { PublishedFigures } from '../../core/format.ts';
import figures from './published.json';

/**
 * Speed of cuSPARSE’s CSR, y = A x in f16, by density. The MACKO paper does not say how wide its indices are: the
 * authors’ benchmark creates it with CUSPARSE_INDEX_32I, for columns and for row starts.
 */
export const published: readonly PublishedFigures[] = figures.map((figure) => ({ ...figure, quantity: 'speed' }));
