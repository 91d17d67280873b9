// Feed-forward blocks in sparse formats, for many tokens on the GPU, compared with f64.

import { expect } from 'vitest';
import { openTestDevice } from '../../../test/gpu.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { formatById, referenceFormat } from '../../../src/formats/registry.ts';
import { modelOfSizes } from '../../../src/theory/models/model-sizes.ts';
import { prefillWithBlocks } from './feed-forward.ts';

scheduled(
  'a software GPU compiles the kernels of whole blocks for seconds',
  'the block kernels of src/formats, which run these, and labs/language/decoders/chain/chain.gpu.test.ts, which feeds blocks forward',
  'blocks of formats compute a chain’s feed-forward within the bound of f64, at the requested number of neurons',
  async () => {
    const context = await openTestDevice();
    const shape = modelOfSizes('64-512-2-2-2-32-300:tiny');
    if (shape === null) throw new Error('found no sizes');
    const report = await prefillWithBlocks(context, shape, {
      formats: ['dense', 'twell', 'hybrid'].map(formatById),
      dense: referenceFormat,
      tokens: 16,
      active: 30,
      seed: 1,
      tuning: 'off',
      isTimed: false,
      job: { report: () => {}, cancelled: false },
    });
    expect(report.ok).toBe(true);
    expect(report.rows.map(({ name }) => name)).toEqual([
      'matrices',
      'none',
      'dense/forward',
      'twell/forward_subgroup',
      'hybrid/forward_subgroup',
    ]);
    for (const { name, worst } of report.rows.slice(2)) expect(worst, name).toBeGreaterThan(0);
    for (const count of report.active) {
      expect(count).toBeGreaterThan(15);
      expect(count).toBeLessThan(60);
    }
    context.destroy();
  },
);
