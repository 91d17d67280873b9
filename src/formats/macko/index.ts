import { admitValues } from '../../core/encoded/admission.ts';
import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { type MackoEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { effectiveDensity, type MackoParams } from './params.ts';
import { storage } from './storage.ts';

/** Mutually aligned compressed coordinates: values with short column gaps, for unstructured sparsity of 30 to 90 %. */
export const macko = defineFormat<MackoEncoded, MackoParams>({
  ...card,
  admits: (m, p) => admitValues(m, p.valueType),
  encodeSteps,
  decode,
  validate,
  rules,
  storage,
  expectedEffectiveDensity: effectiveDensity,
  multiply,
  story: () => import('./story/index.ts').then((m) => m.story),
  kernels,
});
