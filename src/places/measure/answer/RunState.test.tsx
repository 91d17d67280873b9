// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { SOFTWARE_REPORT } from '../../../../test/reports.ts';
import { defaultParams } from '../../../core/format.ts';
import { formats } from '../../../formats/registry.ts';
import type { FormatQuery } from '../../../kit/report/matrix-times.ts';
import type { BenchRun } from '../../../state/index.ts';
import { RunState } from './RunState.tsx';
import type { Measured } from './use-measured.ts';

afterEach(cleanup);

const { workload } = SOFTWARE_REPORT;

const query = (id: string): FormatQuery => {
  const format = formats.find((one) => one.id === id) ?? formats[0];
  return { format: id, params: defaultParams(format.params), spec: format.params };
};

/** What is read of all that is known of a sentence, about the matrix of `SOFTWARE_REPORT` or one of another name. */
const measured = (a: string, name = workload.source): Measured =>
  ({
    summary: { ...workload, name, source: { kind: 'example', id: 'digits-fc1' } },
    asked: { ...workload, tokens: 1, names: [name], isEstimated: false, isEven: false },
    queryA: query(a),
    queryB: query('dense'),
  }) as Partial<Record<keyof Measured, unknown>> as Measured;

const run = (origin: BenchRun['origin']): BenchRun => ({ id: 1, name: 'run', origin, reports: [SOFTWARE_REPORT] });

const said = (runs: readonly BenchRun[], of: Measured): boolean => {
  cleanup();
  renderInApp(<RunState runs={runs} measured={of} />);
  return screen.queryByText(/2 of 2 kernels verified/) !== null;
};

it('says what a run verified over its own matrix and formats alone, and nothing of what was imported', () => {
  expect(said([run('measured')], measured('macko'))).toBe(true);
  expect(said([run('measured')], measured('macko', 'arrow'))).toBe(false);
  expect(said([run('measured')], measured('ec-csr'))).toBe(false);
  expect(said([run('imported')], measured('macko'))).toBe(false);
});
