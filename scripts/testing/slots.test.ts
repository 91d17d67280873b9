import { expect, test } from 'vitest';
import { runInSlots, type Task } from './slots.mjs';

/** A `run` function that records the starts ('+title') and ends ('-title') of tasks; `end` ends a task. */
function recordedRun() {
  const events: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    events,
    run: ({ title }: Task): Promise<void> => {
      events.push(`+${title}`);
      return new Promise((resolve) => {
        ends.set(title, resolve);
      });
    },
    end: async (title: string): Promise<void> => {
      events.push(`-${title}`);
      ends.get(title)?.();
      // Lets pending promises settle, so that the next task has begun.
      for (let i = 0; i < 10; i++) await Promise.resolve();
    },
  };
}

test('two slots always take the next task that waits for nothing', async () => {
  const { events, run, end } = recordedRun();
  const all = runInSlots(
    [{ title: 'build' }, { title: 'unit' }, { title: 'site', after: ['build'] }, { title: 'lint' }],
    2,
    run,
  );
  expect(events).toEqual(['+build', '+unit']);
  await end('build');
  expect(events.slice(3)).toEqual(['+site']);
  await end('unit');
  await end('site');
  await end('lint');
  await all;
  expect(events).toEqual(['+build', '+unit', '-build', '+site', '-unit', '+lint', '-site', '-lint']);
});

test('a task that waits for a task that does not exist is an error', async () => {
  await expect(runInSlots([{ title: 'site', after: ['build'] }], 2, () => Promise.resolve())).rejects.toThrow(
    'Tasks that wait for each other, or for a task that does not exist: site',
  );
});
