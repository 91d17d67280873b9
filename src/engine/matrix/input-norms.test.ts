import { expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { PIXELS } from '../../generate/digit-images.ts';
import { inputNormsSteps } from './pruning.ts';

it('are the norms of drawn digits, and null where nothing is known', () => {
  const norms = finish(inputNormsSteps('digits'));
  expect(norms).toHaveLength(PIXELS);
  expect(norms?.every((norm) => norm > 0)).toBe(true);
  // The middle of an image is darker than its corner.
  expect(norms?.[PIXELS / 2 + 8]).toBeGreaterThan(norms?.[0] ?? 0);
  expect(finish(inputNormsSteps(undefined))).toBeNull();
});
