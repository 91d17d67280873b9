import { defineFormat } from '../../core/format.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { type EllEncoded, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { type EllParams, params } from './params.ts';
import { effectiveDensity, storage } from './storage.ts';

/** ELLPACK-R: every row as long as the longest, slot by slot in memory, so that neighbouring lanes read neighbours. */
export const ell = defineFormat<EllEncoded, EllParams>({
  id: 'ell',
  title: 'ELL',
  summary: 'Rows pushed to the left and padded to the longest, slot by slot in memory.',
  source: {
    title: 'A new approach for sparse matrix vector product on NVIDIA GPUs',
    authors: 'F. Vázquez, J. J. Fernández, E. M. Garzón',
    year: 2011,
    url: 'https://doi.org/10.1002/cpe.1658',
  },
  params,
  admits,
  encodeSteps,
  decode,
  validate,
  storage,
  expectedEffectiveDensity: effectiveDensity,
  multiply,
  story: () => import('./story/index.ts').then((m) => m.story),
  kernels,
});
