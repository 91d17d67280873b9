// The benchmark of prefill (many tokens at once) on the GPU.

import { expect } from 'vitest';
import { openTestDevice } from '../../../test/gpu.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { formatById, referenceFormat } from '../../../src/formats/registry.ts';
import { modelOfSizes } from '../../../src/theory/models/model-sizes.ts';
import { prefillOfShapes } from './prefill.ts';

scheduled(
  'a software GPU compiles products of many tokens for seconds',
  'src/formats/contract/kernels.gpu.test.ts, which runs these kernels, and labs/language/decoders/chain/chain.gpu.test.ts, which feeds tokens together',
  'blocks in i8, dense and slid, multiply many tokens within the bound of f64',
  async () => {
    const context = await openTestDevice();
    const shape = modelOfSizes('64-96-2-2-2-32-64:tiny');
    if (shape === null) throw new Error('found no sizes');
    const slid = formatById('slidesparse');
    const report = await prefillOfShapes(context, shape, {
      stored: [
        { format: referenceFormat, params: { valueType: 'i8' } },
        { format: slid, params: { valueType: 'i8', halfGroup: 4 } },
      ],
      dense: referenceFormat,
      tokens: [16],
      seed: 1,
      isTimed: false,
      job: { report: () => {}, cancelled: false },
    });
    expect(report.ok).toBe(true);
    const [{ tokens, rows }] = report.at;
    expect(tokens).toBe(16);
    expect(rows.map(({ name, kernels }) => [name, ...new Set(kernels)])).toEqual([
      ['dense f16', 'dense/gemm'],
      ['dense i8', 'dense/gemm_i8'],
      ['slidesparse i8 6:8', 'slidesparse/gemm_i8'],
    ]);
    for (const { name, worst } of rows) expect(worst, name).toBeGreaterThan(0);
    const [f16, i8] = rows;
    expect(i8.bytes).toBeLessThan(0.6 * f16.bytes);
    context.destroy();
  },
);
