import { expect, it } from 'vitest';
import { uniformMatrix } from '../../../../test/matrices.ts';
import { toDense } from '../../../core/matrix/index.ts';
import { twell } from '../index.ts';
import { feedForward, walkRow } from './walk.ts';

it.each(['packed', 'split'] as const)('the walk of a row gives the dense up and down projection, %s', (layout) => {
  const m = uniformMatrix(3, 40, 0.2, 4);
  const e = twell.encode(m, { layout, tileWidth: 16, compression: 2, valueType: 'bf16' });
  const h = toDense(twell.decode(e));
  const block = feedForward(40, 4, 9);
  for (let row = 0; row < 3; row++) {
    const y = new Float64Array(4);
    for (let n = 0; n < 40; n++) {
      let u = 0;
      for (let k = 0; k < 4; k++) u += block.x[k] * block.up[n * 4 + k];
      for (let k = 0; k < 4; k++) y[k] += h[row * 40 + n] * u * block.down[n * 4 + k];
    }
    const walked = walkRow(e, row, block);
    expect(walked.map(({ column }) => column)).toEqual(
      [...h.keys()].filter((i) => h[i] !== 0 && Math.floor(i / 40) === row).map((i) => i % 40),
    );
    const last = walked.at(-1)?.y ?? new Float64Array(4);
    for (let k = 0; k < 4; k++) expect(last[k]).toBeCloseTo(y[k], 9);
  }
});
