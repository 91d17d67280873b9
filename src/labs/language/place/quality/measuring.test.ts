import { expect, test } from 'vitest';
import { eventually } from '../../../../../test/eventually.ts';
import { CancelledError } from '../../../../core/errors.ts';
import { AS_IT_IS, type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import type { MeasuredQuality, QualityRequest } from '../service/quality-types.ts';
import { createMeasuring, GROWING } from './use-points.ts';

const model = { id: 'tales', url: 'https://example.org/models/tales/' };
const half: Recipe = { pruning: { way: 'wanda', density: 0.5 }, valueType: 'f16' };

function measured(tales: number): MeasuredQuality {
  const lost = { mean: 1, se: 0.1 };
  return {
    tales,
    bytes: 900 * tales,
    bitsPerByte: 0.2,
    se: 0.01,
    floor: 0.19,
    lost,
    bits: [],
    judged: 0,
    unbroken: 0,
    firstBroken: {},
    where: ['cpu'],
  };
}

/** A service that measures at once, until it is told to wait. */
function fakeService() {
  const asked: QualityRequest[] = [];
  const waiting: (() => void)[] = [];
  const service: Parameters<typeof createMeasuring>[0] = {
    async quality({ signal }, request, onQuality) {
      asked.push(request);
      void onQuality(measured(1));
      if (asked.length > 4) {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal?.addEventListener('abort', () => reject(new CancelledError()));
        });
      }
      return measured(request.tales);
    },
  };
  return { service, asked };
}

test('every point is measured on a few tales first, then all on more; what there is stays after a stop', async () => {
  const { service, asked } = fakeService();
  const measuring = createMeasuring(service);
  const done = measuring.measure(model, [AS_IT_IS, half]);
  expect(measuring.store.getState().running?.title).toBe('Measuring');
  await eventually(() => expect(asked).toHaveLength(5));
  expect(asked.map(({ recipe, tales }) => [recipeKey(recipe), tales])).toEqual([
    ['none/f16', GROWING[0].tales],
    ['wanda 0.5/f16', GROWING[0].tales],
    ['none/f16', GROWING[1].tales],
    ['wanda 0.5/f16', GROWING[1].tales],
    ['none/f16', GROWING[2].tales],
  ]);
  measuring.stop();
  await done;
  const { points, running, error } = measuring.store.getState();
  expect(points.get('wanda 0.5/f16')?.measured.tales).toBe(GROWING[1].tales);
  expect(running).toBeNull();
  expect(error).toBeNull();
});

test('a failure is told without losing what was measured', async () => {
  const { service } = fakeService();
  const measuring = createMeasuring({
    async quality(watch, request, onQuality) {
      if (request.recipe === half) throw new Error('layer 1: found no memory');
      return service.quality(watch, request, onQuality);
    },
  });
  await measuring.measure(model, [AS_IT_IS, half]);
  const { points, error, running } = measuring.store.getState();
  expect(points.get('none/f16')?.measured.tales).toBe(GROWING[0].tales);
  expect(error).toBe('Layer 1: found no memory.');
  expect(running).toBeNull();
});

test('another model begins with nothing', async () => {
  const { service } = fakeService();
  const measuring = createMeasuring(service);
  await measuring.measure(model, [AS_IT_IS]);
  expect(measuring.store.getState().points.size).toBe(1);
  measuring.show('tales');
  expect(measuring.store.getState().points.size).toBe(1);
  measuring.show('tales-small');
  expect(measuring.store.getState()).toMatchObject({
    model: 'tales-small',
    points: new Map(),
    error: null,
    running: null,
  });
});
