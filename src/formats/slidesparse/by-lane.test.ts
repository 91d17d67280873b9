import { expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { BLOCK, metadataByLane, metadataByLaneBytes } from './kernels.ts';
import { encodeSteps } from './encode.ts';
import { nibbleAt } from './layout.ts';

it('metadataByLane gives lane l of a block the nibbles (4 bits) of windows 2 l, 2 l + 1, 2 l + 64 ... 2 l + 193', () => {
  const cols = 1300;
  const cells = Float32Array.from({ length: 3 * cols }, (_, i) => (((i * 7919) >>> 3) % 4 === 0 ? 1 : 0));
  for (let i = 0; i < cells.length; i++) if (i % 4 > 1) cells[i] = 0;
  const e = finish(encodeSteps(denseMatrix(3, cols, cells), { halfGroup: 2, valueType: 'f16' }));
  const words = metadataByLane(e);
  expect(words.byteLength).toBe(metadataByLaneBytes(e));
  expect(words).toHaveLength(3 * 2 * 32);
  for (let row = 0; row < 3; row++) {
    for (let w = 0; w < e.windowsPerRow; w++) {
      const word = words[(row * 2 + Math.floor(w / BLOCK)) * 32 + (Math.floor(w / 2) % 32)];
      const position = 2 * Math.floor((w % BLOCK) / 64) + (w % 2);
      expect((word >>> (4 * position)) & 15).toBe(nibbleAt(e, row, w));
    }
  }
});
