import { expect, test } from 'vitest';
import { chainSeconds, runInSlots, type Task } from './slots.mjs';

/** A run that notes what begins and ends, and ends tasks when it is told to. */
function noted() {
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
      // Until the next task has begun.
      for (let i = 0; i < 10; i++) await Promise.resolve();
    },
  };
}

test('a task counts with the longest chain that waits for it', () => {
  const tasks: Task[] = [
    { title: 'build', seconds: 10 },
    { title: 'site', seconds: 100, after: ['build'] },
    { title: 'size', seconds: 1, after: ['build'] },
  ];
  const chains = chainSeconds(tasks);
  expect(tasks.map((task) => chains.get(task))).toEqual([110, 100, 1]);
});

test('two slots always take the next longest task that waits for nothing', async () => {
  const { events, run, end } = noted();
  const all = runInSlots(
    [
      { title: 'lint', seconds: 5 },
      { title: 'unit', seconds: 60 },
      { title: 'build', seconds: 10 },
      { title: 'site', seconds: 100, after: ['build'] },
    ],
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

test('tasks that wait for nothing that exists are an error, not a silence', async () => {
  await expect(
    runInSlots([{ title: 'site', seconds: 1, after: ['build'] }], 2, () => Promise.resolve()),
  ).rejects.toThrow('Tasks that wait for none that could end: site');
});
