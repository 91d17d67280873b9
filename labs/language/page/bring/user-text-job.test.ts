// The job that measures pruned models on a user's text, and the table of its results.

import { describe, expect, it } from 'vitest';
import { oneJob } from '../../../../test/jobs.ts';
import { CancelledError } from '../../../../src/core/errors.ts';
import { UNCHANGED, type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import type { UserTextQuality } from '../service/types.ts';
import { userTextJob, type RecipeQuality, type UserTextResults, userTextProblem } from './user-text-job.ts';
import { partKey } from '../curve/HeatMap.tsx';
import { type PartLosses, partLossesJob } from './UserPartLosses.tsx';
import { userRows, recipeFor } from './UserQuality.tsx';

const MODEL = { id: 'brought:Tiny-1a2b', url: 'brought:Tiny-1a2b' };
const TEXT = 'The harbour was quiet that morning. '.repeat(8);
const HALF = recipeFor({ way: 'magnitude', density: 0.5 }, '');
const quality = (bits: number): UserTextQuality => ({ bits, bytes: 100, tokens: 40, pieces: 1, where: 'cpu' });

describe('measuring models on a user’s text', () => {
  it('requests missing results, one after the other, and starts again with another text', async () => {
    const requested: Recipe[] = [];
    const service: Parameters<typeof userTextJob>[0] = {
      async userText(_watch, { recipe }) {
        requested.push(recipe);
        return quality(100 * requested.length);
      },
    };
    const job = oneJob<UserTextResults>();
    await job.start(userTextJob(service, MODEL, 'short', [UNCHANGED]));
    expect(job.state().error).toBe(userTextProblem('short'));
    await job.start(userTextJob(service, MODEL, TEXT, [UNCHANGED, HALF]));
    await job.start(userTextJob(service, MODEL, TEXT, [UNCHANGED, HALF]));
    expect(requested).toEqual([UNCHANGED, HALF]);
    expect(job.state()).toMatchObject({ error: null, job: null, data: { text: TEXT } });
    await job.start(userTextJob(service, MODEL, `${TEXT}!`, [HALF]));
    expect([...(job.state().data?.measured.keys() ?? [])]).toEqual([recipeKey(HALF)]);
  });

  it('keeps its results and reports the failure if a measurement fails', async () => {
    const service: Parameters<typeof userTextJob>[0] = {
      userText: async (_watch, { recipe }) =>
        recipe === HALF ? Promise.reject(new Error('memory: found none left')) : quality(100),
    };
    const job = oneJob<UserTextResults>();
    await job.start(userTextJob(service, MODEL, TEXT, [UNCHANGED, HALF]));
    expect(job.state()).toMatchObject({ job: null, error: 'memory: found none left.' });
    expect(job.state().data?.measured.size).toBe(1);
  });
});

describe('the table of results', () => {
  const qualityOf = (recipe: Recipe, bits: number): RecipeQuality => ({ recipe, quality: quality(bits) });
  const wanda = recipeFor({ way: 'wanda', density: 0.7 }, 'a text');

  it('lists the dense model first, and the differences from it', () => {
    expect(wanda.calibration).toBe('a text');
    const rows = userRows([qualityOf(HALF, 520), qualityOf(wanda, 410), qualityOf(UNCHANGED, 400)]);
    expect(rows.map(({ name }) => name)).toEqual(['not pruned', '70\u202f% by Wanda', '50\u202f% by magnitude']);
    expect(rows.map(({ excess }) => excess?.toFixed(2))).toEqual([undefined, '0.10', '1.20']);
  });

  it('counts matrices with another pruning or rounding, not those with only another format', () => {
    const overrides = [
      { layer: 0, name: 'up', pruning: { way: 'wanda', density: 0.3 } },
      { layer: 1, name: 'q', valueType: 'i8' },
      { layer: 1, name: 'k', format: 'csr' },
    ] as const;
    const mixed = recipeFor({ way: 'magnitude', density: 0.5 }, 'a text', overrides);
    expect(mixed).toMatchObject({ calibration: 'a text', own: [{ name: 'up' }, { name: 'q', valueType: 'i8' }] });
    expect(userRows([qualityOf(mixed, 520)])[0].name).toBe('50\u202f% by magnitude, 2 matrices otherwise');
  });
});

describe('losses by part of a model', () => {
  it('are measured part by part, and stay after a stop', async () => {
    const service: Parameters<typeof partLossesJob>[0] = {
      userParts: async (_watch, { density }, onPart) => {
        await onPart({ layer: 0, kind: null }, 12 * density);
        await onPart({ layer: null, kind: 'up' }, 2);
        return Promise.reject(new CancelledError());
      },
    };
    const job = oneJob<PartLosses>();
    await job.start(partLossesJob(service, MODEL, 'short'));
    expect(job.state()).toMatchObject({ data: null, error: userTextProblem('short') });
    await job.start(partLossesJob(service, MODEL, TEXT));
    const { data: answer, error, isCancelled } = job.state();
    expect([answer?.text, answer?.summary, error, isCancelled]).toEqual([TEXT, null, null, true]);
    expect(answer?.lost.get(partKey(0, null))).toBeCloseTo(3.6);
    const others = [partKey(null, 'up'), partKey(1, null), partKey(0, 'up')];
    expect(others.map((key) => answer?.lost.get(key))).toEqual([2, undefined, undefined]);
  });
});
