import type { FormatCard } from '../../core/format.ts';
import { counted } from '../../core/story/words.ts';
import {
  effectiveDensity,
  type MackoParams,
  params,
  overheadBits,
  reachOf,
  expectedReason,
  expectedZeroBits,
} from './params.ts';

/** Mutually aligned compressed coordinates: values with short skips between columns, for unstructured sparsity of 30 to 90 %. */
export const card: FormatCard<MackoParams> = {
  id: 'macko',
  title: 'MACKO',
  summary: 'Values with short skips; a zero is stored where a skip is too long.',
  gist: 'Each weight with the columns skipped before it.',
  group: 'pruned weights',
  also: 'gaps, deltas, padding, unstructured',
  source: {
    title: 'MACKO: Sparse Matrix-Vector Multiplication for Low Sparsity',
    authors: 'Vladimír Macko, Vladimír Boža',
    year: 2025,
    url: 'https://arxiv.org/abs/2511.13061',
  },
  shownBestOn: { id: 'digits-fc2-70', what: 'weights, three in ten left' },
  headline: {
    name: 'MACKO',
    does: 'counts skips',
    each: {
      says: ({ deltaBits }) => `how many columns are skipped before it, ${counted(deltaBits, 'bit')}`,
      of: (skipped, { deltaBits }) => {
        const reach = reachOf(deltaBits);
        return [...Array<number>(Math.floor(skipped / reach)).fill(reach - 1), skipped % reach];
      },
    },
  },
  colors: { light: '#287E68', dark: '#4ACAA8' },
  params,
  effort: 1.5,
  examples: [
    {
      id: 'macko-fig-3',
      title: 'Figure 3 of the paper, 2-bit deltas',
      params: { deltaBits: 2, valueType: 'f16' },
    },
    {
      id: 'macko-authors-test',
      title: 'The authors’ own test, 4-bit deltas',
      params: { deltaBits: 4, valueType: 'f16' },
    },
  ],
  expectedEffectiveDensity: effectiveDensity,
  expectedZeroBits,
  overheadBits,
  expectedReason,
  published: () => import('./published.ts').then((m) => m.published),
  story: () => import('./story/index.ts').then((m) => m.story),
};
