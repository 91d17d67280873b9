// The limit on work without a pause, in the definition of fuzz targets.

import { expect, it } from 'vitest';
import { threadPace } from '../src/core/pace.ts';
import { defineTarget, type Fault } from './target.ts';

/** Steps counted so far. */
let stepCount = 0;

function work(steps: number): void {
  stepCount += steps;
}

/** The finds in one case of such a check, which may be silent for 20 steps. */
function found(check: () => null | Promise<null>, maxSteps: number | null = 20): Promise<Fault | null> {
  const parts = { id: 'any', unit: 'cases', share: 1, generate: () => null, smaller: () => [], toJson: () => null };
  return defineTarget({ ...parts, maxSteps, check, steps: () => stepCount, fromJson: () => null })
    .fromJson(null)
    .find();
}

it('a case that blocks its thread for more steps than its target allows is a fault', async () => {
  const find = await found(() => (work(30), null));
  expect(find?.law).toBe('no case is silent for more than 20 steps');
  expect(find?.message).toBe('30 steps without giving the thread back');
});

it('a case that seems to block is checked again at every turn of the event loop', async () => {
  let tries = 0;
  expect(await found(() => (work(tries++ === 0 ? 30 : 0), null))).toBeNull();
  expect(tries).toBe(2);
});

it('a case may work for long if it yields the thread in between', async () => {
  const find = await found(async () => {
    for (let i = 0; i < 8; i++) {
      work(20);
      await threadPace.pause();
    }
    return null;
  });
  expect(find).toBeNull();
});

it('a target without a limit of steps waits for its cases', async () => {
  expect(await found(() => (work(30), null), null)).toBeNull();
});
