import { defineFormat } from '../../core/format.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { facts } from './facts.ts';
import { kernels } from './kernels.ts';
import { type HybridEncoded, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { effectiveDensity, type HybridParams, params } from './params.ts';
import { storage } from './storage.ts';

/** A compact ELL for rows with few non-zeros and a dense tail for the others: what training keeps of the activations. */
export const hybrid = defineFormat<HybridEncoded, HybridParams>({
  id: 'hybrid',
  title: 'hybrid',
  summary: 'Rows with few non-zeros in a compact ELL, longer ones whole in a dense tail.',
  source: {
    title: 'Sparser, Faster, Lighter Transformer Language Models',
    authors: 'Edoardo Cetin, Stefano Peluchetti, Emilio Castillo, Akira Naruse, Mana Murakami, Llion Jones',
    year: 2026,
    url: 'https://arxiv.org/abs/2603.23198',
  },
  params,
  admits,
  encodeSteps,
  decode,
  validate,
  storage,
  facts,
  expectedEffectiveDensity: effectiveDensity,
  multiply,
  story: () => import('./story/index.ts').then((m) => m.story),
  kernels,
});
