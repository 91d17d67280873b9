// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { cleanup, renderInApp } from '../../../../test/page.ts';
import { CSR_ROW, MACKO_ROW, REPORT } from '../../../../test/reports.ts';
import { TunedNumbers, tunedText } from './BenchFacts.tsx';

afterEach(cleanup);

const start = { shares: 4096, lanes: 1024 };
const tuned = { chosen: { shares: 4224, lanes: 512 }, start, gain: 1.042, tried: 18, remembered: false };

test('says what was chosen, and what that gained', () => {
  expect(tunedText(tuned)).toBe('shares 4\u202f224, lanes 512: 1.04× the speed');
  expect(tunedText({ ...tuned, chosen: start, gain: 1 })).toBe('shares 4\u202f096, lanes 1\u202f024, as before');
});

const report = {
  ...REPORT,
  rows: [
    { ...MACKO_ROW, tuned },
    { ...MACKO_ROW, kernel: 'macko/spmv_rows', tuned },
    { ...CSR_ROW, tuned },
  ],
};

test('names the kernels of a format that has several', () => {
  renderInApp(<TunedNumbers report={report} isImported={false} />);
  const names = screen.getAllByRole('term').map((term) => term.textContent);
  expect(names.toSorted()).toEqual(['CSR', 'MACKOspmv_rows', 'MACKOspmv_subgroup']);
});

test('forgets what is remembered here, and nothing that was found elsewhere', () => {
  const { unmount } = renderInApp(<TunedNumbers report={report} isImported={false} />);
  expect(screen.getByRole('button', { name: 'forget' })).toBeTruthy();
  unmount();
  renderInApp(<TunedNumbers report={report} isImported />);
  expect(screen.queryByRole('button', { name: 'forget' })).toBeNull();
});
