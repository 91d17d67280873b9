import type { FormatCard } from '../../core/format.ts';
import { type BitmaskParams, effectiveDensity, params, overheadBits, expectedReason } from './params.ts';

/** One bit per cell, followed by the non-zeros: cheap indices as long as the matrix is not very sparse. */
export const card: FormatCard<BitmaskParams> = {
  id: 'bitmask',
  title: 'bitmask',
  summary: 'One bit per cell says whether a value is stored; the values follow one another.',
  gist: 'One bit per cell says where a weight is.',
  group: 'classic',
  also: 'bit mask, bitmap, sparse bitmap',
  source: null,
  shownBestOn: { id: 'digits-fc2-50', what: 'weights of which half are left' },
  colors: { light: '#829777', dark: '#788E6E' },
  params,
  effort: 1.1,
  expectedEffectiveDensity: effectiveDensity,
  overheadBits,
  expectedReason,
  story: () => import('./story/index.ts').then((m) => m.story),
};
