// The formats that can run a training step, and the search for arrays in which the activations fit.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { formats, referenceFormat } from '../../../../src/formats/registry.ts';
import { generate } from '../../../../src/generate/generate.ts';
import { type GpuContext, openDevice } from '../../../../src/gpu/index.ts';
import { activationsSpec } from '../measure-step.ts';
import { findFittingParams } from './step-formats.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const SHAPE = { tokens: 16, width: 16, hidden: 320 };
const JOB = { report() {}, cancelled: false };

const formatsAt = (mean: number) => {
  const h = generate(activationsSpec(SHAPE, mean), JOB);
  return findFittingParams(context, { formats, reference: referenceFormat }, h, SHAPE.width, JOB);
};

test('activations that fit in the usual arrays are run once', async () => {
  const { attempts, kept } = await formatsAt(20);
  expect(attempts.map(({ overflow }) => overflow)).toEqual([null]);
  expect(kept.sparse).toBe(kept.sparseAtFirst);
});

test('a flag from the device makes arrays larger until nothing overflows', async () => {
  const { attempts, kept } = await formatsAt(180);
  expect(attempts.map(({ params }) => params.rowSlots)).toEqual([128, 256]);
  expect(attempts[0].overflow).toMatch(/^\d+ of 16 rows overflow$/);
  expect(attempts[1].overflow).toBeNull();
  expect(kept.sparse).toBeGreaterThan(kept.sparseAtFirst);
});

test('a search that is cancelled ends with an error', async () => {
  const h = generate(activationsSpec(SHAPE, 20), JOB);
  const cancelled = { ...JOB, cancelled: true };
  await expect(
    findFittingParams(context, { formats, reference: referenceFormat }, h, SHAPE.width, cancelled),
  ).rejects.toThrow('cancelled');
});
