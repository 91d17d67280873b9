import { expect, it } from 'vitest';
import { threadPace } from '../src/core/pace.ts';
import { defineTarget, type Find } from './target.ts';

/** The time of these cases, which a busy machine does not move. */
let nowMs = 0;

/** Keeps the thread busy by that time. */
function work(ms: number): void {
  nowMs += ms;
}

/** The finds in one case of such a check, of which each try may last 20 ms. */
function found(check: () => null | Promise<null>, limitMs: number | null = 20): Promise<Find | null> {
  const parts = { id: 'any', unit: 'cases', share: 1, generate: () => null, smaller: () => [], toJson: () => null };
  return defineTarget({ ...parts, limitMs, check, clock: () => nowMs, fromJson: () => null })
    .fromJson(null)
    .find();
}

it('a case that blocks its thread for longer than its target allows is a find', async () => {
  const find = await found(() => (work(30), null));
  expect(find?.law).toBe('no case is silent for more than 20 ms');
  expect(find?.message).toMatch(/^\d+ ms without giving the thread back, in the shortest of 4 tries$/);
});

it('a case that was slow once is tried again before it is a find', async () => {
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

it('a target without a limit of its own waits for its cases', async () => {
  expect(await found(() => (work(30), null), null)).toBeNull();
});
