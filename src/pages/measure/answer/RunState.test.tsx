// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { SOFTWARE_REPORT } from '../../../../test/reports.ts';
import type { BenchRun } from '../../../state/index.ts';
import { RunState } from './RunState.tsx';

afterEach(cleanup);

const { workload } = SOFTWARE_REPORT;
const rest: BenchRun['rest'] = {
  request: {
    operation: workload.operation,
    sizes: {},
    workload: { kind: 'generated', spec: { pattern: 'uniform', rows: 4, cols: 4, density: 0.5, seed: 1 } },
    entries: [],
    memory: 'cold',
    rounds: 8,
    seed: 1,
    where: 'gpu',
  },
};
const run = (given: Partial<BenchRun>): BenchRun => ({
  id: 1,
  name: 'run',
  origin: 'measured',
  reports: [SOFTWARE_REPORT],
  ...given,
});

const canGoOn = (runs: readonly BenchRun[]): boolean => {
  cleanup();
  renderInApp(<RunState runs={runs} />);
  return screen.queryByRole('button', { name: 'Continue' }) !== null;
};

it('has a button to continue the newest run alone, if it was interrupted here', () => {
  expect([canGoOn([run({ rest })]), canGoOn([run({})])]).toEqual([true, false]);
  expect(canGoOn([run({ rest, origin: 'imported' })])).toBe(false);
  expect([canGoOn([run({ id: 2 }), run({ rest })]), canGoOn([])]).toEqual([false, false]);
});
