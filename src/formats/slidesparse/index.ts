import { defineFormat } from '../../core/format.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps, firstFullGroup } from './encode.ts';
import { facts } from './facts.ts';
import { kernels } from './kernels.ts';
import { type SlideSparseEncoded, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { effectiveDensity, params, type SlideSparseParams } from './params.ts';
import { scene } from './scene.ts';
import { storage } from './storage.ts';
import { type SlideSparseStep, trace } from './trace.ts';

/** (2N-2):2N sparsity slid into 2:4 windows and compressed: two of four values and two bits for each. */
export const slideSparse = defineFormat<SlideSparseEncoded, SlideSparseParams, SlideSparseStep>({
  id: 'slidesparse',
  title: 'SlideSparse',
  summary: 'Groups with two zeros or more, slid into overlapping windows of four that keep two values each.',
  source: {
    title: 'SlideSparse: Fast and Flexible (2N-2):2N Structured Sparsity',
    authors:
      'Hanyong Shao, Yingbo Hao, Ting Song, Yan Xia, Di Zhang, Shaohan Huang, Xun Wu, Songchen Xu, Le Xu, Li Dong, Zewen Chi, Yi Zou, Furu Wei',
    year: 2026,
    url: 'https://arxiv.org/abs/2603.05232',
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
  trace,
  // A window that is too full is pruned in the first chapter; only NaN and infinities in i8 stand in the way.
  tracesRefused: (m, p) => firstFullGroup(m, p) !== null,
  scene,
  kernels,
});
