import { expect, it } from 'vitest';
import type { RunningJob } from './session-state.ts';
import { JobSlot, type JobContext } from './job-slot.ts';

it('a JobSlot shows only the newest job, cancels the one before, and shows nothing once the newest has ended', async () => {
  let shown: RunningJob | null = null;
  const slot = new JobSlot((change) => (shown = change(shown)));
  const watches: JobContext[] = [];
  const ends: (() => void)[] = [];
  const work = (watch: JobContext): Promise<void> => {
    watches.push(watch);
    return new Promise((resolve) => ends.push(resolve));
  };
  const first = slot.run('First', work);
  const second = slot.run('Second', work, { isAutomatic: true });
  expect(watches.flatMap(({ signal, isCurrent }) => [signal.aborted, isCurrent])).toEqual([true, false, false, true]);
  watches[0].onProgress({ what: 'first', done: 1, total: 2 });
  ends[0]();
  await first;
  expect(shown).toEqual({ title: 'Second', progress: null, cancelling: false, isAutomatic: true });
  slot.cancel();
  expect(shown).toMatchObject({ cancelling: true });
  expect(watches[1].signal.aborted).toBe(true);
  ends[1]();
  await second;
  expect(shown).toBeNull();
});

it('showWaiting shows a job that does not run yet, and cancels the running one', async () => {
  let shown: RunningJob | null = null;
  const slot = new JobSlot((change) => (shown = change(shown)));
  let aborted: AbortSignal | null = null;
  let end = (): void => {};
  const run = slot.run('First', ({ signal }) => {
    aborted = signal;
    return new Promise<void>((resolve) => (end = resolve));
  });
  slot.showWaiting('Second');
  expect(aborted).toHaveProperty('aborted', true);
  end();
  await run;
  expect(shown).toEqual({ title: 'Second', progress: null, cancelling: false });
  slot.clear();
  expect(shown).toBeNull();
});
