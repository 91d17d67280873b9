// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { buildMatrix, uniformRecipe } from '../../../test/arbitraries.ts';
import { REPORT, timedRow } from '../../../test/reports.ts';
import type { BenchReport } from '../../core/report.ts';
import type { BenchRequest } from '../../engine/bench/bench-types.ts';
import { fakeSession } from '../../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../../test/page.ts';
import { resolvedParams } from '../../core/format.ts';
import { formatById } from '../../formats/registry.ts';
import { type TimedMatrix, timedMatrixOf } from '../../kit/report/matrix-times.ts';
import { Ablation, ABLATION_STEPS } from './Ablation.tsx';

afterEach(cleanup);

it('each step needs no more bytes than the one before, on a uniform matrix of 256 × 4096', () => {
  const m = buildMatrix(uniformRecipe([256, 4096], 0.3, 3));
  const sizes = ABLATION_STEPS.map(({ format: id, params }) => {
    const format = formatById(id);
    return format.storage(format.encode(m, resolvedParams(format.params, params, m))).totalBytes;
  });
  const [csr, ...steps] = sizes;
  // Of the 6 bytes of a non-zero in CSR, a delta of one byte and the value of two remain, and some padding of lanes.
  for (const size of steps) expect(size / csr).toBeLessThan(0.6);
  for (let i = 1; i < sizes.length; i++) expect(sizes[i], ABLATION_STEPS[i].name).toBeLessThanOrEqual(sizes[i - 1]);
});

/** Draws the table of steps. `runRequests`: the requested runs; `encoded`: the calls of `encode` so far. */
async function renderAblation(hasGpu: boolean) {
  const fake = fakeSession();
  await fake.session.start();
  const { store } = fake.session;
  const { summary } = store.getState();
  if (summary === null) throw new Error('no matrix is open');
  if (hasGpu) store.setState({ device: { kind: 'ready' } as never });
  const query = timedMatrixOf(summary, 1);
  const device = { id: 'this', kind: 'this', name: 'here', label: '', reports: reportsOf(query), roofs: null } as never;
  const runRequests: BenchRequest[] = [];
  const session = { ...fake.session, runBench: async (request: BenchRequest) => void runRequests.push(request) };
  const app = { ...fakeApp(), ...fake, session };
  renderInApp(
    <Ablation matrix={query} visibleDevice={{ device, devices: [device], dropDeviceChoice: () => {} }} />,
    app,
  );
  return { runRequests, encoded: () => fake.engine.calls.filter((call) => /^encode .*valueType/.test(call)) };
}

/** The time of each step, ns. */
const TIMES = [300, 200, 210, 160, 170];

/** A report of the matrix with every step. */
function reportsOf({ rows: height, cols, nnz, density, names }: TimedMatrix): readonly BenchReport[] {
  const rows = ABLATION_STEPS.map(({ format, params }, i) => ({
    ...timedRow(`${format}/spmv`, format, 1, 1000),
    params: resolvedParams(formatById(format).params, params, { rows: height, cols }),
    medianNs: TIMES[i],
  }));
  const workload = { ...REPORT.workload, rows: height, cols, nnz, density, source: names[0] };
  return [{ ...REPORT, workload, rows, refused: [] }];
}

it('the table encodes nothing before the button is pressed, then every step once, in order', async () => {
  const { runRequests, encoded } = await renderAblation(false);
  expect(encoded()).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Time all steps' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Encode all steps' }));
  await screen.findByRole('row', { name: /^longest first, and cut/ });
  expect(encoded()).toEqual(ABLATION_STEPS.map(({ format, params }) => `encode ${format} ${JSON.stringify(params)}`));
  expect(runRequests).toEqual([]);
  expect(screen.getByRole('row', { name: /^deltas of 8 bits alone/ }).textContent).toContain('15.4');
});

it('one press times every step in one run, and the table shows what each gains over the step that the paper names', async () => {
  const { runRequests, encoded } = await renderAblation(true);
  fireEvent.click(screen.getByRole('button', { name: 'Time all steps' }));
  await screen.findByRole('row', { name: /^longest first, and cut/ });
  expect(encoded()).toHaveLength(ABLATION_STEPS.length);
  await expect.poll(() => runRequests).toHaveLength(1);
  expect(runRequests[0]).toMatchObject({ operation: 'spmv', memory: 'cold', workload: { kind: 'stage' } });
  expect(runRequests[0].entries).toMatchObject(
    ABLATION_STEPS.map(({ format, params }) => ({ format, params, kernels: 'auto' })),
  );
  // The step that each step is compared with, by index and name.
  const baselines = [null, [0, 'CSR'], [1, 'deltas'], [1, 'deltas'], [3, 'blocks']] as const;
  for (const [i, { name, published }] of ABLATION_STEPS.entries()) {
    const cells = [...screen.getByRole('row', { name: new RegExp(`^${name}`) }).children].map(
      (cell) => cell.textContent,
    );
    const baseline = baselines[i];
    const gain = baseline && (100 * (TIMES[baseline[0]] / TIMES[i] - 1)).toFixed(1).replace('-', '−');
    expect(cells.slice(-2), name).toEqual([baseline ? `${gain}, over ${baseline[1]}` : '–', published]);
  }
});
