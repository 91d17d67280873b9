import { defineFormat } from '../../core/format.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { type BitmaskEncoded, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { type BitmaskParams, params } from './params.ts';
import { effectiveDensity, storage } from './storage.ts';

/** One bit per cell and the non-zeros behind each other: cheap indices as long as the matrix is not very sparse. */
export const bitmask = defineFormat<BitmaskEncoded, BitmaskParams>({
  id: 'bitmask',
  title: 'bitmask',
  summary: 'One bit per cell says where a value is stored; the values follow each other.',
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
