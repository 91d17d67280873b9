// tokenBits: the cross-entropy of every token in bits, compared with the oracle (an independent decoder in f64).

import { describe, expect, it } from 'vitest';
import { randomIds, randomWeights, tinyConfig } from '../test/decoders.ts';
import { cpuDecoder } from './cpu/cpu-decoder.ts';
import { oracleLogits } from './oracle/oracle.ts';
import { tokenBits } from './token-bits.ts';

const CONFIG = tinyConfig({ context: 100 });
const WEIGHTS = randomWeights(CONFIG, 1);

describe('bits of tokens', () => {
  it('equal the bits of the oracle, including the first token', async () => {
    const ids = randomIds(CONFIG, 90, 2);
    const bits = await tokenBits(cpuDecoder(CONFIG, WEIGHTS), ids);
    const logits = oracleLogits(CONFIG, WEIGHTS, [0, ...ids]);
    for (const [i, id] of ids.entries()) {
      const row = logits.subarray(i * CONFIG.vocabulary, (i + 1) * CONFIG.vocabulary);
      const expSum = row.reduce((sum, logit) => sum + Math.exp(logit), 0);
      expect(bits[i]).toBeCloseTo(-Math.log2(Math.exp(row[id]) / expSum), 4);
    }
  });

  it('of a model without weights follow from the vocabulary', async () => {
    const zeros = { ...WEIGHTS, head: WEIGHTS.head.map(() => 0) };
    for (const bits of await tokenBits(cpuDecoder(CONFIG, zeros), randomIds(CONFIG, 20, 3)))
      expect(bits).toBeCloseTo(Math.log2(53), 12);
  });

  it('do not depend on tokens fed before', async () => {
    const decoder = cpuDecoder(CONFIG, WEIGHTS);
    const first = await tokenBits(decoder, [5, 6, 7]);
    await decoder.feed([9, 9]);
    expect([await tokenBits(decoder, [5, 6, 7]), await tokenBits(decoder, [])]).toEqual([first, new Float64Array(0)]);
  });

  it('need a model with a beginning token (bos)', async () => {
    await expect(tokenBits(cpuDecoder({ ...CONFIG, bos: null }, WEIGHTS), [1])).rejects.toThrow(
      new RangeError('bits of tokens: the model has no mark before texts'),
    );
  });
});
