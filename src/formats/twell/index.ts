import { defineFormat } from '../../core/format.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { facts } from './facts.ts';
import { kernels } from './kernels.ts';
import { type TwellEncoded, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { effectiveDensity, type TwellParams, params } from './params.ts';
import { storage } from './storage.ts';

/** Tile-wise ELL: every tile of a row packs its non-zeros by itself, so that a GEMM can store its output in it. */
export const twell = defineFormat<TwellEncoded, TwellParams>({
  id: 'twell',
  title: 'TwELL',
  summary:
    'Activations pushed to the left inside tiles of columns, each tile with a fixed number of slots and a count.',
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
