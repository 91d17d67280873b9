import type { FormatCard } from '../../core/format.ts';
import { effectiveDensity, type EllParams, params, overheadBits, expectedReason, expectedZeroBits } from './params.ts';

/** ELLPACK-R: every row as long as the longest, slot by slot in memory, so that neighbouring lanes read neighbours. */
export const card: FormatCard<EllParams> = {
  id: 'ell',
  title: 'ELL',
  summary: 'Rows pushed to the left and padded to the longest, stored slot by slot.',
  gist: 'Every row padded to the longest.',
  group: 'classic',
  also: 'ellpack, itpack, padded rows',
  source: {
    title: 'A new approach for sparse matrix vector product on NVIDIA GPUs',
    authors: 'F. Vázquez, J. J. Fernández, E. M. Garzón',
    year: 2011,
    url: 'https://doi.org/10.1002/cpe.1658',
  },
  shownBestOn: { id: 'laplacian-32x32', what: 'rows of equal length' },
  colors: { light: '#079CCD', dark: '#9FD5EF' },
  params,
  effort: 4,
  simpleKernel: 'ell/spmv_scalar',
  expectedEffectiveDensity: effectiveDensity,
  expectedZeroBits,
  overheadBits,
  expectedReason,
  story: () => import('./story/index.ts').then((m) => m.story),
};
