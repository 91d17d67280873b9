// LoadedModels: concurrent requests for pruned models share work, and Wanda's calibration texts.

import { expect, test } from 'vitest';
import { DISK_HOST, newJob } from '../test/disk-host.ts';
import { CancelledError } from '../../../src/core/errors.ts';
import type { Recipe } from '../decoders/stored/recipe.ts';
import { LoadedModels } from './loaded-models.ts';

const SMALL = { id: 'tales-small', url: 'labs/language/public/models/tales-small/' };
const HALF: Recipe = { pruning: { way: 'wanda', density: 0.5 }, valueType: 'f16' };

const opened = (): LoadedModels =>
  new LoadedModels({ ...DISK_HOST, pause: () => new Promise((resolve) => setTimeout(resolve)) });

async function loaded() {
  const [models, job] = [opened(), newJob()];
  return { models, job, model: await models.load(SMALL, job) };
}

test('concurrent requests for the same pruned model share one job, and another model waits', async () => {
  const { models, job, model } = await loaded();
  const [a, b, c] = await Promise.all([
    models.pruned(model, HALF, job),
    models.pruned(model, { ...HALF }, job),
    models.pruned(model, { ...HALF, pruning: { way: 'wanda', density: 0.6 } }, job),
  ]);
  expect(b).toBe(a);
  // Texts begin anew: what was pruned before has no part in it.
  const alone = await opened().pruned(model, { ...HALF, pruning: { way: 'wanda', density: 0.6 } }, job);
  expect(c.blocks[3].matrices.down).toEqual(alone.blocks[3].matrices.down);
});

test('cancelling a pruning does not end the next one in the queue', async () => {
  const { models, job: second, model } = await loaded();
  const first = newJob();
  const cancelled = models.pruned(model, HALF, first);
  const pruned = models.pruned(model, HALF, second);
  first.cancel();
  await expect(cancelled).rejects.toThrow(CancelledError);
  expect((await pruned).blocks).toHaveLength(model.config.layers);
});

test('a custom calibration text determines the inputs of Wanda', async () => {
  const { models, job, model } = await loaded();
  const calibratedOnTales = await models.pruned(model, HALF, job);
  const calibration = 'The cherry went under the middle cup. '.repeat(80);
  const calibratedOnText = await models.pruned(model, { ...HALF, calibration }, job);
  const differ = calibratedOnText.blocks[0].matrices.q.filter(
    (w, i) => w !== calibratedOnTales.blocks[0].matrices.q[i],
  ).length;
  expect(differ).toBeGreaterThan(0);
  // As many weights stay, whichever text chose them.
  const nonZeroCount = (cells: Float32Array): number => cells.reduce((n, w) => n + (w === 0 ? 0 : 1), 0);
  expect(nonZeroCount(calibratedOnText.blocks[0].matrices.q)).toBe(
    nonZeroCount(calibratedOnTales.blocks[0].matrices.q),
  );
  const magnitude: Recipe = { pruning: { way: 'rows', density: 0.5 }, valueType: 'f16' };
  expect(await models.pruned(model, { ...magnitude, calibration: 'cup' }, job)).toBe(
    await models.pruned(model, magnitude, job),
  );
});
