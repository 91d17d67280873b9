// The job that measures the quality of pruned models here, from a few tales to more.

import { expect, test } from 'vitest';
import { oneJob } from '../../../../test/jobs.ts';
import { CancelledError } from '../../../../src/core/errors.ts';
import { UNCHANGED, type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import type { MeasuredQuality, QualityRequest } from '../service/types.ts';
import { MEASURING_ROUNDS, type MeasuredPoints, qualityJob } from './use-known-quality.ts';

const model = { id: 'tales', url: 'https://example.org/models/tales/' };
const half: Recipe = { pruning: { way: 'wanda', density: 0.5 }, valueType: 'f16' };

function measured(tales: number): MeasuredQuality {
  const judged = { judged: 0, unbroken: 0, firstBroken: {} };
  const bits = { bitsPerByte: 0.2, se: 0.01, floor: 0.19, lost: { mean: 1, se: 0.1 }, bits: [] };
  return { tales, bytes: 900 * tales, ...bits, ...judged, where: ['cpu'] };
}

/** A service that measures at once, until it is made to wait. */
function fakeService() {
  const requests: QualityRequest[] = [];
  const waiting: (() => void)[] = [];
  const service: Parameters<typeof qualityJob>[0] = {
    async quality({ signal }, request, onQuality) {
      requests.push(request);
      void onQuality(measured(1));
      if (requests.length > 4) {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal?.addEventListener('abort', () => reject(new CancelledError()));
        });
      }
      return measured(request.tales);
    },
  };
  return { service, requests };
}

test('every point is measured on a few tales first, then all on more, and results stay after a stop', async () => {
  const { service, requests } = fakeService();
  const job = oneJob<MeasuredPoints>();
  await job.start(qualityJob(service, model, [UNCHANGED, half]));
  expect(requests.map(({ recipe, tales }) => [recipeKey(recipe), tales])).toEqual([
    ['none/f16', MEASURING_ROUNDS[0].tales],
    ['wanda 0.5/f16', MEASURING_ROUNDS[0].tales],
    ['none/f16', MEASURING_ROUNDS[1].tales],
    ['wanda 0.5/f16', MEASURING_ROUNDS[1].tales],
    ['none/f16', MEASURING_ROUNDS[2].tales],
  ]);
  expect(job.state().job?.progress).toMatchObject({ done: 4, total: 6 });
  await job.cancel();
  const { data: answer, job: running, error } = job.state();
  expect(answer?.get('wanda 0.5/f16')?.measured.tales).toBe(MEASURING_ROUNDS[1].tales);
  expect([running, error]).toEqual([null, null]);
});

test('a failure is reported, and earlier measurements stay', async () => {
  const { service } = fakeService();
  const job = oneJob<MeasuredPoints>();
  await job.start(qualityJob(service, model, [UNCHANGED]));
  const failing: Parameters<typeof qualityJob>[0] = {
    async quality() {
      throw new Error('layer 1: found no memory');
    },
  };
  await job.start(qualityJob(failing, model, [half]));
  const { data: answer, error, job: running } = job.state();
  expect(answer?.get('none/f16')?.measured.tales).toBe(MEASURING_ROUNDS[2].tales);
  expect([error, running]).toEqual(['Layer 1: found no memory.', null]);
});

test('measurements of another model begin empty', async () => {
  const { service } = fakeService();
  const job = oneJob<MeasuredPoints>();
  await job.start(qualityJob(service, model, [UNCHANGED]));
  expect(job.state().data?.size).toBe(1);
  const other = job.at('tales-small');
  await other.start(qualityJob(service, model, [half]));
  expect([...(other.state().data?.keys() ?? [])]).toEqual(['wanda 0.5/f16']);
});
