import { expect, it } from 'vitest';
import { threadMs } from './thread-time.ts';

it('the time of a thread grows while it works, and is no more than that of its process', () => {
  const start = threadMs();
  // Ends only if it grows.
  while (threadMs() - start < 5);
  const own = threadMs();
  const { user, system } = process.cpuUsage();
  expect(own).toBeGreaterThan(start);
  expect(own).toBeLessThanOrEqual((user + system) / 1000);
});
