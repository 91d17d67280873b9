import { describe, expect, it } from 'vitest';
import { randomIds, randomWeights, tinyConfig } from '../../../../test/language/decoders.ts';
import { CancelledError } from '../../../core/errors.ts';
import { NO_JOB } from '../../../io/file-format.ts';
import { cpuDecoder } from './cpu/cpu-decoder.ts';
import { oracleLogits } from './oracle/oracle.ts';
import { lostBits, scoreTexts, tokenBits } from './score.ts';

const CONFIG = tinyConfig({ context: 100 });
const WEIGHTS = randomWeights(CONFIG, 1);
const ZEROS = { ...WEIGHTS, head: WEIGHTS.head.map(() => 0) };

describe('bits of tokens', () => {
  it('are those of the oracle, the first token included', async () => {
    const ids = randomIds(CONFIG, 90, 2);
    const bits = await tokenBits(cpuDecoder(CONFIG, WEIGHTS), ids);
    const logits = oracleLogits(CONFIG, WEIGHTS, [0, ...ids]);
    for (const [i, id] of ids.entries()) {
      const row = logits.subarray(i * CONFIG.vocabulary, (i + 1) * CONFIG.vocabulary);
      const whole = row.reduce((sum, logit) => sum + Math.exp(logit), 0);
      expect(bits[i]).toBeCloseTo(-Math.log2(Math.exp(row[id]) / whole), 4);
    }
  });

  it('do not depend on what was fed before', async () => {
    const decoder = cpuDecoder(CONFIG, WEIGHTS);
    const first = await tokenBits(decoder, [5, 6, 7]);
    await decoder.feed([9, 9]);
    expect(await tokenBits(decoder, [5, 6, 7])).toEqual(first);
    expect(await tokenBits(decoder, [])).toEqual(new Float64Array(0));
  });

  it('are lost by another model', async () => {
    const ids = randomIds(CONFIG, 20, 3);
    const usual = await tokenBits(cpuDecoder(CONFIG, WEIGHTS), ids);
    const lost = lostBits(await tokenBits(cpuDecoder(CONFIG, ZEROS), ids), usual);
    expect(lost.length).toBe(20);
    expect(lost[3]).toBeCloseTo(Math.log2(53) - usual[3], 12);
    expect(lostBits(usual, usual).every((bits) => bits === 0)).toBe(true);
    expect(() => lostBits(usual, lost.subarray(1))).toThrow(new RangeError('lost bits: found 20 tokens, expected 19'));
  });

  it('need a mark before the first token', async () => {
    await expect(tokenBits(cpuDecoder({ ...CONFIG, bos: null }, WEIGHTS), [1])).rejects.toThrow(
      new RangeError('bits of tokens: the model has no mark before texts'),
    );
  });
});

describe('bits per byte', () => {
  const texts = [
    { ids: randomIds(CONFIG, 10, 4), bytes: 31 },
    { ids: randomIds(CONFIG, 25, 5), bytes: 70 },
    { ids: randomIds(CONFIG, 99, 6), bytes: 290 },
  ];

  it('of a model without weights follow from the vocabulary', async () => {
    const score = await scoreTexts(cpuDecoder(CONFIG, ZEROS), texts, NO_JOB);
    // Each text has an end.
    expect(score).toMatchObject({ texts: 3, tooLong: 0, tokens: 137, bytes: 391 });
    expect(score.perplexity).toBeCloseTo(53, 9);
    expect(score.bits).toBeCloseTo(137 * Math.log2(53), 9);
    expect(score.bitsPerByte).toBeCloseTo((137 * Math.log2(53)) / 391, 12);
  });

  it('come with the standard error of a ratio', async () => {
    const seen: number[] = [];
    const decoder = cpuDecoder(CONFIG, WEIGHTS);
    const score = await scoreTexts(decoder, texts, NO_JOB, (_, __, bits) => {
      seen.push(bits?.reduce((a, b) => a + b, 0) ?? Number.NaN);
    });
    const deviations = texts.map(({ bytes }, i) => seen[i] - score.bitsPerByte * bytes);
    expect(deviations.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 9);
    const variance = deviations.reduce((sum, d) => sum + d * d, 0) / 2;
    expect(score.standardError).toBeCloseTo(Math.sqrt(3 * variance) / 391, 12);
    expect((await scoreTexts(decoder, texts.slice(0, 1), NO_JOB)).standardError).toBeNaN();
  });

  it('leave out texts longer than the context, and say so', async () => {
    const decoder = cpuDecoder({ ...CONFIG, context: 40 }, WEIGHTS);
    const score = await scoreTexts(decoder, texts, NO_JOB);
    expect(score).toMatchObject({ texts: 2, tooLong: 1, tokens: 37, bytes: 101 });
    const two = await scoreTexts(cpuDecoder(CONFIG, WEIGHTS), texts.slice(0, 2), NO_JOB);
    expect(score.bits).toBe(two.bits);
  });

  it('grow text by text, and stop when cancelled', async () => {
    const job = { report: () => {}, cancelled: false };
    const soFar: number[] = [];
    const scoring = scoreTexts(cpuDecoder(CONFIG, WEIGHTS), texts, job, (score) => {
      soFar.push(score.texts);
      job.cancelled = score.texts === 2;
    });
    await expect(scoring).rejects.toThrow(CancelledError);
    expect(soFar).toEqual([1, 2]);
  });
});
