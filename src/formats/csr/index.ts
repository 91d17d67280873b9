import { defineFormat } from '../../core/format.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { type CsrEncoded, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { type CsrParams, params } from './params.ts';
import { effectiveDensity, storage } from './storage.ts';

/** Compressed sparse rows: the format of the field, and the one that the papers compare themselves with. */
export const csr = defineFormat<CsrEncoded, CsrParams>({
  id: 'csr',
  title: 'CSR',
  summary: 'Every non-zero with its column index, row by row, and where each row starts.',
  source: null,
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
